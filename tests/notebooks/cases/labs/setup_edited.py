"""The setup cell's archive was edited by accident; labkit is installed here, so that nothing depends on it.
"""


def build(notebook):
    setup = notebook["cells"][1]
    setup["source"] = setup["source"].replace('"""\nUEsDB', '"""\nUEsDC', 1)
    return notebook
