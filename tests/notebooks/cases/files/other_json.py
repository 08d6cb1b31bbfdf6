"""The settings of the editor, picked from the same folder.

file: settings.json
refused: This file is JSON but not a notebook: submit the .ipynb file made from the lab's starter.
"""


def build(notebook):
    return b'{"editor.fontSize": 14, "jupyter.askForKernelRestart": false}'
