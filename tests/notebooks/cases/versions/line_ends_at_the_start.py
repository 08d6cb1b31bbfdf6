"""Sources as lists of lines whose ends stand at the start of the next: joined as they are, they are right.

seen: jsboige/CoursIA#5096
"""


def build(notebook):
    for cell in notebook["cells"]:
        first, *others = cell["source"].split("\n")
        cell["source"] = [first, *("\n" + line for line in others)]
    return notebook
