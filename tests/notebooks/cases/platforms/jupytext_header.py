"""A jupytext notebook: a raw cell with its header stands first, the kernel's name is in it.

seen: jupytext/jupytext#191
"""


def build(notebook):
    header = "---\njupyter:\n  kernelspec:\n    name: python3\n---"
    notebook["cells"].insert(0, {"cell_type": "raw", "metadata": {}, "source": header, "id": "header"})
    notebook["metadata"]["jupytext"] = {"formats": "ipynb,py:percent", "text_representation": {"extension": ".py"}}
    return notebook
