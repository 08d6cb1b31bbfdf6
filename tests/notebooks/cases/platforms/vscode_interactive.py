"""Exported from VS Code's interactive window: each cell begins with its marker.
"""


def build(notebook):
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = "#%%\n" + cell["source"]
    return notebook
