"""A cell was taken out in a text editor, and the comma between its neighbors with it.

seen: wesm/pydata-book#27, Russell91/ReInspect#7
refused: This notebook is damaged at line 1, column 35 (expecting ',' delimiter), and Jupyter can't
  open it either: submit an earlier copy, such as the one that Jupyter keeps in .ipynb_checkpoints, or mend that place in
  a text editor.
"""


def build(notebook):
    return b'{"cells": [{"cell_type": "code"}  {"cell_type": "code"}], "metadata": {}, "nbformat": 4}'
