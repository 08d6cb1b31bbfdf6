"""Saved as notebook v3 for an old server; headings are cells of their own kind.

sees: The notebook had an old format (3 or earlier) and was upgraded.
"""


def build(notebook):
    cells = [{"cell_type": "heading", "level": 1, "source": ["Lab"], "metadata": {}}]
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            lines = cell["source"].splitlines(keepends=True)
            cells.append({"cell_type": "code", "input": lines, "language": "python", "outputs": [], "metadata": {}})
    return {
        "metadata": {"name": "", "signature": "sha256:"},
        "nbformat": 3,
        "nbformat_minor": 0,
        "worksheets": [{"cells": cells, "metadata": {}}],
    }
