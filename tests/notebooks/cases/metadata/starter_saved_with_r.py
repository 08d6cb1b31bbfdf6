"""The starter was opened once with R's kernel and saved; the answers are Python all the same.

sees: The notebook was saved for R; it was executed with Python.
"""


def build(notebook):
    notebook["metadata"]["kernelspec"] = {"name": "ir", "display_name": "R", "language": "R"}
    notebook["metadata"]["language_info"] = {"name": "R"}
    return notebook
