"""More than two thousand cells, most of them empty.

refused: This notebook has 2,013 cells and at most 2,000 are graded: remove those it can spare.
"""


def build(notebook):
    empty = {"cell_type": "code", "source": "", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"] += [empty] * (2_013 - len(notebook["cells"]))
    return notebook
