"""Juno on a phone: no line ends, no indentation, ids in capitals, one line of JSON.
"""

import json


def build(notebook):
    for cell in notebook["cells"]:
        cell["id"] = cell["id"].upper()
    return json.dumps(notebook, separators=(",", ":")).encode()
