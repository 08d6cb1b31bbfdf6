"""Cells whose type is a number, a list, a null, or nearly a known one; sources that are no texts.

naive: no score, KeyError in the grader.
reached: types: 3 cells ran
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    odd = [{**code("ran = globals().get('ran', 0) + 1"), "cell_type": kind} for kind in ("Code", None, 7)]
    plain = [{"cell_type": kind, "metadata": [], "source": ["x"]} for kind in ([], {}, "heading", "output", "raw", True)]
    return json.dumps(notebook(*odd, *plain, code("print('types:', ran, 'cells ran')"))).encode()
