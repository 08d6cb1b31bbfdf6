"""A converter wrote null where it had nothing to say.

seen: ipython/ipython#7869
"""


def build(notebook):
    for cell in notebook["cells"]:
        cell["metadata"] = None
        cell["id"] = None
        cell["outputs"] = None
    return {**notebook, "metadata": None, "nbformat_minor": None}
