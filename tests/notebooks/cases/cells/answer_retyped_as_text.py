"""The answer became a text cell by a slip of the key M: it does not run, and the student must learn why.

seen: jupyter/nbgrader#92, jupyter/nbgrader#1941
score: q1=0
sees: A cell of question q1 is not a code cell any more, so it was not run: change its type back to Code.
sees q1: You have not defined `square`.
"""


def build(notebook):
    for cell in notebook["cells"]:
        if cell["id"] == "q1-answer":
            cell["cell_type"] = "markdown"
    return notebook
