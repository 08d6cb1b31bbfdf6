"""The part of the notebook that a report was written in; the code stayed in the other file.

refused: This notebook has no code cells, so there is nothing to grade: submit the one with your answers.
"""


def build(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    return notebook
