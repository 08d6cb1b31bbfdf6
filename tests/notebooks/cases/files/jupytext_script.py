"""The paired script of a jupytext notebook.

seen: jupytext/jupytext#191
file: lab.py
refused: This file is a Python script: submit the notebook itself (.ipynb), not an export of it.
"""


def build(notebook):
    head = "# ---\n# jupyter:\n#   jupytext:\n#     formats: ipynb,py:percent\n# ---\n\n# %% [markdown]\n# Lab\n"
    return b"\xef\xbb\xbf" + head.encode()
