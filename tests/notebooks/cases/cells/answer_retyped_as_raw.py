"""The answer became a raw cell by a slip of the key R, and kept its old outputs.

seen: jupyter/nbgrader#92
score: q3=0
sees: A cell of question q3 is not a code cell any more, so it was not run: change its type back to Code.
sees q3: You have not defined `scale`.
"""


def build(notebook):
    for cell in notebook["cells"]:
        if cell["id"] == "q3-answer":
            cell["cell_type"] = "raw"
    return notebook
