"""A text cell became code by a slip of the key Y.

sees: Cell 3 (question q1) raised SyntaxError
"""


def build(notebook):
    for cell in notebook["cells"]:
        if cell["id"] == "q1-text":
            cell["cell_type"] = "code"
            cell["source"] = "Write `square(x)`, which gives the square of any number."
    return notebook
