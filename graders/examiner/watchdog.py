"""What stops the examiner's own work on a student's values: reading them, and tests that look at them.

The student's code is timed on its own side; this is for what that can't end: a list that takes hours to sort, a set
whose items all have the same hash, a text that a regular expression never gets through.
"""

from __future__ import annotations

import contextlib
import faulthandler
import resource
import signal
from collections.abc import Iterator
from types import FrameType
from typing import Final

RING_AGAIN_S: Final = 1.0
HARD_S: Final = 30.0
HEADROOM_BYTES: Final = 256 * 1024**2


class Halt(BaseException):
    """Ends a test. No Exception, so that a test which expects one doesn't take this for it."""


class CaseTimeout(Halt):
    """The examiner's own side of something took too long."""


@contextlib.contextmanager
def limited(seconds: float, sentence: str) -> Iterator[None]:
    """Raises CaseTimeout(sentence) in what runs longer, and again every second in what swallows it: an exception
    that comes up in a destructor is lost. One long call into C can't be interrupted; after HARD_S more, the process
    ends, which the worker sees at once."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise CaseTimeout(sentence)

    def stop() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()

    signal.signal(signal.SIGALRM, ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, RING_AGAIN_S)
            faulthandler.dump_traceback_later(seconds + HARD_S, exit=True)
            yield
        finally:
            stop()
    finally:
        # Once more: a ring may have broken off the first.
        stop()


def bound_memory(jail_bytes: int) -> None:
    """Let what wants too much memory fail with an error, in the test that asked for it, before the kernel ends all."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    bound = jail_bytes - HEADROOM_BYTES
    if soft == resource.RLIM_INFINITY or soft > bound:
        resource.setrlimit(resource.RLIMIT_DATA, (bound, hard))
