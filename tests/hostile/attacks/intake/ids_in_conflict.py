"""Cell ids that stand twice, are no texts, are megabytes long, or belong to another question.

naive: 2/2, a grader that finds a question's cell by its id takes the copied one.
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    made = notebook(code("def f1(x):\n    return 0", id="q1-answer"), code("pass", id="q3-answer"), code("pass", id="q3-answer"))
    for cell, strange in zip(made["cells"], [None, 7, "q2-answer", "x" * 2_000_000, ["q2"], "q2-answer", {}], strict=False):
        cell["id"] = strange
    return json.dumps(made).encode()
