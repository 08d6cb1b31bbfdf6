"""Cells that claim by metadata to answer a question, in a notebook without any check: a right one for q1 claims q2.

naive: 2/2, where metadata says which cell is whose and each is looked at alone.
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    made = notebook(code("def f1(x):\n    return x * x", metadata={"ridgepoint": {"question": "q2", "points": 2}}))
    made["cells"] = [cell for cell in made["cells"] if "check(" not in cell["source"]]
    return json.dumps(made).encode()
