"""Sources as lists of lines, as Jupyter itself writes them.

file: LAB (2) - Kopie.IPYNB
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    return notebook
