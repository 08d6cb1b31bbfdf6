"""The answer's cell has two sources, one of them with its key in escapes: a reader and a grader may each take another.

naive: 2/2, for a source that the instructor's viewer doesn't show.
refused: has "source" twice
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    text = json.dumps(notebook(code("1 + 1")))
    return text.replace('"source": "1 + 1"', '"source": "1 + 1", "sou\\u0072ce": "def f1(x): return 0"').encode()
