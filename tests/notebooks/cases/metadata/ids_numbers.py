"""A tool numbered the cells.

seen: jupyter/nbformat#359
"""


def build(notebook):
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = number
    return notebook
