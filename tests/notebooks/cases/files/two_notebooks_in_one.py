"""A newer, shorter save did not cut off the older text, so that the file holds one notebook and the tail of another.

seen: jupyter/help#171, microsoft/vscode-jupyter#2487
refused: This notebook is damaged at line 2, column 2 (extra data), and Jupyter can't open it either: submit an earlier
  copy, such as the one that Jupyter keeps in .ipynb_checkpoints, or mend that place in a text editor.
"""

import json


def build(notebook):
    return (json.dumps(notebook) + '\n "nbformat": 4,\n "nbformat_minor": 5\n}\n').encode()
