"""Lone surrogates, NUL bytes and line separators in sources, names and keys: texts that can't be written out again.

naive: no score, UnicodeEncodeError in the grader when it writes its result.
message q2: null bytes
"""

import json

from tests.hostile.handed_in import code, notebook


def build():
    odd = "\ud800 \udfff \x00 \u2028 \x85 \ufeff \U0010ffff"
    return json.dumps(
        notebook(
            code(f"# {odd}"), code("x = 1", id="\ud800", metadata={odd: odd}, tags=[odd]),
            {"cell_type": "markdown", "metadata": {}, "source": odd, "attachments": {odd: {odd: odd}}},
            metadata={odd: odd, "ridgepoint": {"lab": odd, "bundle": odd}, "kernelspec": {"name": odd, "language": odd}},
        )
    ).encode()  # fmt: skip
