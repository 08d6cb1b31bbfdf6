"""Format 4.4, and every cell has an id: what nbformat calls an unexpected property.

seen: jupytext/jupytext#1463, nteract/papermill#569
"""


def build(notebook):
    notebook["nbformat_minor"] = 4
    return notebook
