"""Sources on which parsers and patterns take time in the square of their length: nested f-strings, checks in a row.

naive: 2/2 after hours, where the grader parses cells itself without a limit.
failed: NameError
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    return json.dumps(
        notebook(
            code("f'" + "{check}" * 500 + "'"),
            code("# " + "x.check(" * 40_000),
            code("# " + "x" + " " * 60_000 + ".check(" + " " * 60_000 + ")"),
            code("x = 1\n" + "#ridgepoint-lab:\n" * 2_000),
        )
    ).encode()
