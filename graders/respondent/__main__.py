"""`python -m graders.respondent [IMPORT ...]`: serve the examiner on file descriptor 3 until it hangs up."""

from __future__ import annotations

import importlib
import os
import sys

from graders.respondent.service import Respondent, take_channel


def main() -> None:
    Respondent(take_channel(3)).serve()
    # Threads and exit hooks that the student left behind are nobody's business any more.
    os._exit(0)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        importlib.import_module(name)
    del sys.argv[1:]
    main()
