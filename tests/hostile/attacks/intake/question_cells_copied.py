"""The check of q2 stands there forty times, with another guess before each: one of them might be right for a moment.

naive: 2/2, otter-grader keeps a question's best or last result of a notebook, whichever the author forgot to choose.
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    guesses = [cell for n in range(40) for cell in (code(f"def f2(x):\n    return {n} if x < 0 else x * x"),
                                                   code('grader.check("q2")'))]  # fmt: skip
    return json.dumps(notebook(*guesses)).encode()
