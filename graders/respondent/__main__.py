"""`python -m graders.respondent`: serve the examiner on file descriptor 3 until it hangs up."""

from __future__ import annotations

import os

from graders.respondent.service import Respondent, take_channel

if __name__ == "__main__":
    Respondent(take_channel(3)).serve()
    # Threads and exit hooks that the student left behind are nobody's business any more.
    os._exit(0)
