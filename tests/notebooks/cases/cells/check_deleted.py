"""A check's cell was deleted: the question is graded after its answer's cell.

seen: jupyter/nbgrader#1682
sees: grader.check("q2") is in no cell: question q2 was graded after code cell 5.
"""


def build(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "q2-check"]
    return notebook
