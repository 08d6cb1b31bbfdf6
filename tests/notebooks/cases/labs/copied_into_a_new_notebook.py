"""All cells were copied into a new notebook, because the old one "was weird": the metadata is gone, the setup cell isn't.

seen: ucbds-infra/otter-grader#433, jupyter/nbgrader#424
"""


def build(notebook):
    cells = [
        {key: cell[key] for key in ("cell_type", "source")} | {"metadata": {}, "outputs": []} for cell in notebook["cells"]
    ]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
