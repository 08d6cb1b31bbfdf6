"""Two lists of cells: one for format 4 with a wrong answer, one for format 3 with a right one.

naive: 2/2 or 0/2, depending on which one the grader's library believes.
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    right = notebook(answer="def f2(x):\n    return x * x")["cells"]
    old = [{"cell_type": "code", "input": cell["source"], "outputs": [], "metadata": {}} for cell in right]
    return json.dumps(notebook(worksheets=[{"cells": old}])).encode()
