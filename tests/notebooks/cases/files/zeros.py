"""A laptop lost power while it wrote: the file has its length, but only zeros in it.

refused: This file is empty: save the notebook in Jupyter and submit it again.
"""


def build(notebook):
    return bytes(70_000)
