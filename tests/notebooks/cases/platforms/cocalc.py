"""CoCalc's and Sage's: a kernel of its own name, cells numbered in the metadata, the metadata's unknown keys.

seen: sagemathinc/cocalc#4916
"""


def build(notebook):
    notebook["metadata"] = {"kernelspec": {"name": "python3-ubuntu", "metadata": {"cocalc": {"priority": 10}}}}
    for cell in notebook["cells"]:
        cell["metadata"] = {"collapsed": False, "cocalc": {"outputs": {}}, "nbgrader": {"grade": False}}
    return notebook
