"""Made by a script: no metadata, neither of the notebook nor of a cell, no ids, no outputs.

seen: petrobras/3W#71, jupyter/nbgrader#424, microsoft/vscode#273697
"""


def build(notebook):
    for cell in notebook["cells"]:
        for key in ("metadata", "id", "outputs", "execution_count"):
            cell.pop(key, None)
    return {"cells": notebook["cells"], "nbformat": 4}
