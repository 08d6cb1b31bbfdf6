"""All checks were deleted, "because they are only for me".

sees: is in no cell: question
"""


def build(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if not cell["id"].endswith("-check")]
    return notebook
