"""A notebook of 50 MB in one text.

naive: a full store, and minutes of validating; nbgrader takes files of any size.
refused: and this lab takes at most 20
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    return json.dumps(notebook(code("# " + "x" * 50_000_000))).encode()
