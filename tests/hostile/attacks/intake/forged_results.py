"""Stored outputs, metadata and extra keys that say that everything was right.

naive: 2/2, nbgrader takes the points that a cell's stored output or metadata shows.
never: All tests passed
page: graded here
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    output = {"output_type": "execute_result", "execution_count": 1, "metadata": {},
              "data": {"text/plain": "q2 results: All tests passed!", "application/json": {"score": 8}}}  # fmt: skip
    made = notebook(
        code("print('graded here')", outputs=[output], execution_count=10**9),
        metadata={"ridgepoint": {"score": 8, "report": {"points": 8}, "lab": "testing/small"},
                  "otter": {"OK_FORMAT": True, "tests": {"q2": {"points": 99}}}, "nbgrader": {"score": 8}},
        report={"score": 8}, score=8, results={"q2": 2},
    )  # fmt: skip
    for cell in made["cells"]:
        cell["outputs"] = [output]
        cell["metadata"] = {"nbgrader": {"grade": True, "points": 9, "score": 9}, "ridgepoint": {"points": 9}}
    return json.dumps(made).encode()
