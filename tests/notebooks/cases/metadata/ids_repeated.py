"""VS Code pasted cells with the id of the cell that was copied.

seen: microsoft/vscode#143396, jupyter/notebook#6001
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["id"] = "82f5d8f1"
    return notebook
