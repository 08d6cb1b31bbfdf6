"""A notebook of the year 2011, in format 2.

sees: The notebook had an old format (3 or earlier) and was upgraded.
"""


def build(notebook):
    cells = [
        {"cell_type": "code", "input": cell["source"], "language": "python", "outputs": [], "collapsed": False}
        if cell["cell_type"] == "code"
        else {"cell_type": "markdown", "source": cell["source"]}
        for cell in notebook["cells"]
    ]
    return {"metadata": {"name": "lab"}, "nbformat": 2, "worksheets": [{"cells": cells}]}
