"""Opened and saved by the Mac's TextEdit.

refused: This file is an RTF document: submit the notebook itself (.ipynb).
"""


def build(notebook):
    return b"{\\rtf1\\ansi\\ansicpg1252\\cocoartf2761\n\\f0\\fs24 \\cf0 \\{\\n \"cells\": []\\}}"
