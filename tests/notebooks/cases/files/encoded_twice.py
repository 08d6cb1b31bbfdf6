"""A script of the student's own wrote the notebook's text as one JSON string.

refused: This file is a notebook wrapped in other JSON, as a program or a server writes it: download the notebook again with File > Download and submit that .ipynb file.
"""

import json


def build(notebook):
    return json.dumps(json.dumps(notebook)).encode()
