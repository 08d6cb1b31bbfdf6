"""`python -m graders.respondent [IMPORT ...]`: serve the examiner on file descriptor 3 until it hangs up."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable

from graders.prepared import PLACE, PREPARED, lay_out
from graders.respondent.outputs import Collector
from graders.respondent.service import Respondent, take_channel
from graders.respondent.shell import make_shell


def prepare() -> Callable[[], None]:
    """All that can be done before there is a student; what it returns does the rest, here or in a fork."""
    lay_out(PREPARED, PLACE)
    shell = make_shell(Collector())

    def serve() -> None:
        Respondent(take_channel(3), shell).serve()
        # Threads and exit hooks that the student left behind are nobody's business any more.
        os._exit(0)

    return serve


if __name__ == "__main__":
    for name in sys.argv[1:]:
        importlib.import_module(name)
    del sys.argv[1:]
    prepare()()
