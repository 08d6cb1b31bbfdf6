"""A file system that allocates ahead left zeros behind the last bracket: nothing of the notebook is lost.
"""

import json


def build(notebook):
    return json.dumps(notebook).encode() + bytes(4_096)
