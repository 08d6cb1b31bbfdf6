"""The check became a text cell by a slip of the key M.

seen: jupyter/nbgrader#92, jupyter/nbgrader#1941
sees: grader.check("q2") stands in a cell that is not a code cell: question q2 was graded after code cell 5.
"""


def build(notebook):
    for cell in notebook["cells"]:
        if cell["id"] == "q2-check":
            cell["cell_type"] = "markdown"
    return notebook
