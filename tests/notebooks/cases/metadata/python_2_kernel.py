"""The kernel that the course's machine offered was Python 2's.

seen: jupyter/nbgrader#416
"""


def build(notebook):
    notebook["metadata"]["kernelspec"] = {"name": "python2", "display_name": "Python 2", "language": "python"}
    notebook["metadata"]["language_info"] = {"name": "python", "version": "2.7.18"}
    return notebook
