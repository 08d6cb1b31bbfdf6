"""Format 3 with two worksheets, the answers in both.

sees: The notebook had an old format (3 or earlier) and was upgraded.
"""


def build(notebook):
    cells = [
        {"cell_type": "code", "input": cell["source"], "language": "python", "outputs": []}
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]
    return {"metadata": {}, "nbformat": 3, "worksheets": [{"cells": cells[:5]}, {"cells": cells[5:]}]}
