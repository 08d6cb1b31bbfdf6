"""A marimo notebook, which is a Python file.

file: lab.py
refused: This file is a Python script: submit the notebook itself (.ipynb), not an export of it.
"""


def build(notebook):
    return b"import marimo\n\napp = marimo.App()\n\n\n@app.cell\ndef _():\n    total = 60.5\n    return (total,)\n"
