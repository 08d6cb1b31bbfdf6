"""Deepnote's converter counts text cells as if they ran, and leaves the newest format's fields out.

seen: deepnote/deepnote#430
"""


def build(notebook):
    for number, cell in enumerate(notebook["cells"]):
        cell["execution_count"] = number
        cell["metadata"] = {"cell_id": f"{number:032x}", "deepnote_cell_type": cell["cell_type"], "tags": []}
        cell.pop("id")
    notebook["metadata"] = {"deepnote_notebook_id": "8f", "deepnote_execution_queue": [], "orig_nbformat": 2}
    return notebook
