"""A tool that joins notebooks left the version out.
"""


def build(notebook):
    del notebook["nbformat"], notebook["nbformat_minor"]
    return notebook
