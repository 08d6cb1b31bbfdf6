"""Saved from the address of Jupyter's contents API: the notebook is in there, with name and dates around it.

refused: This file is a notebook wrapped in other JSON, as a program or a server writes it: download the notebook again with File > Download and submit that .ipynb file.
"""

import json


def build(notebook):
    return json.dumps({"name": "lab.ipynb", "path": "lab.ipynb", "type": "notebook", "content": notebook}).encode()
