"""Says in cells' metadata and ids which question they answer and what it is worth.

naive: 2/2, nbgrader takes the points from the cell's own metadata.
score: q1=2 q2=0 q3=0 q4=0
"""
import json

def build():
    def code(number, source, **metadata):
        return {"cell_type": "code", "id": number, "metadata": metadata, "source": source, "outputs": [], "execution_count": 1}
    marks = {"ridgepoint": {"question": "q2", "points": 2, "passed": True}, "otter": {"tests": ["q2"]},
             "nbgrader": {"grade": True, "grade_id": "q2", "points": 99, "solution": True, "locked": True}}
    cells = [code("q1-answer", "class grader:\n    check = staticmethod(print)\ndef f1(x):\n    return x * x\ngrader.check('q1')"),
             code("q2-answer", "def f2(x):\n    return -1", **marks),
             code("q2-answer-2", "grader.check('q2', points=2)", **marks)]
    for name in ("q3", "q4"):
        cells.append(code(f"{name}-answer", "pass", ridgepoint={"question": name, "points": 2}))
    metadata = {"ridgepoint": {"score": 8, "report": {"score": 8}}, "otter": {"assignment_name": "x"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}).encode()
