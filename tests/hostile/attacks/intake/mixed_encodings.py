"""UTF-8 that turns into Latin-1 in the middle of a text.

naive: no score, UnicodeDecodeError in the grader.
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    return json.dumps(notebook(code("# here"))).encode().replace(b"# here", "# \u00e9".encode() + b"\xe9\xe9 x")
