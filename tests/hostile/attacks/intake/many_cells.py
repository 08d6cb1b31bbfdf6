"""A hundred thousand cells, each of which an executor sends to its kernel one by one.

naive: no score, for hours, and none for nobody else meanwhile.
refused: has 100,009 cells and at most 2,000 are graded
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    return json.dumps(notebook(*[code("")] * 100_000)).encode()
