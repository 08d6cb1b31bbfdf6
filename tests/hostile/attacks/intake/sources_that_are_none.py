"""A cell whose source is an object.

naive: no score, TypeError in the grader.
refused: holds no text
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    return json.dumps(notebook({**code(""), "source": {"text": "x"}})).encode()
