"""The setup cell was moved to the end, and worked there because it had run before.

seen: ucbds-infra/otter-grader#558
sees: NameError: name 'grader' is not defined. The setup cell defines it: copy that cell back from the lab's starter.
"""


def build(notebook):
    notebook["cells"].append(notebook["cells"].pop(1))
    return notebook
