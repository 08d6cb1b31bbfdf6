"""The setup cell was deleted, because it looked like noise; the metadata still names the lab.

sees: The setup cell defines it: copy that cell back from the lab's starter.
sees: NameError: name 'grader' is not defined
"""


def build(notebook):
    del notebook["cells"][1]
    return notebook
