"""Cells that JupyterLab collapsed, locked or froze; frozen ones do not run there.

seen: jupyter/nbgrader#878
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["metadata"] |= {"collapsed": True, "editable": False, "deletable": False, "jupyter": {"source_hidden": True}}
        cell["metadata"] |= {"run_control": {"frozen": True}, "init_cell": True, "slideshow": {"slide_type": "skip"}}
    return notebook
