"""Exported from marimo as .ipynb: cells in the order in which they depend on each other, with marimo's own tags.

sees: Question q4 stands above question q3: each was graded where it stands.
"""


def build(notebook):
    by_id = {cell["id"]: cell for cell in notebook["cells"]}
    order = ["setup", "given", "q4-answer", "q4-check", "q1-answer", "q1-check", "q2-answer", "q2-check", "q3-answer"]
    notebook["cells"] = [by_id[name] for name in [*order, "q3-check"]]
    for cell in notebook["cells"]:
        cell["metadata"] = {"marimo": {"config": {"hide_code": True}}}
        cell["id"] = "Hb" + cell["id"][:2] + str(len(cell["source"]))
    return notebook
