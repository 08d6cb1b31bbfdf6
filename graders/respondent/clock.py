"""The gentle time limit: an exception inside the student's code. The hard one is the jail's end, and not ours."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final, TypeVar

RING_AGAIN_S: Final = 1.0
T = TypeVar("T")


class TimeLimit(KeyboardInterrupt):
    """No Exception, so that a student's `except Exception` doesn't swallow it."""


class Clock:
    """Runs one thing at a time under a limit; rings again every second until that gives up."""

    def __init__(self) -> None:
        self.rang = False
        self._running = False
        self._held = False
        self._sentence = ""

    def limited(self, seconds: float, sentence: str, function: Callable[[], T]) -> T:
        """Raises TimeLimit(sentence). Inside another limited call the outer limit holds."""
        if self._running:
            return function()
        self.rang = False
        self._sentence = sentence
        self._running = True
        try:
            try:
                signal.signal(signal.SIGALRM, self._ring)
                signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), RING_AGAIN_S)
                return function()
            finally:
                self._stop()
        finally:
            # Once more: a ring may have broken off the first.
            self._stop()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Ring after this block, not within it: a message that breaks off in the middle is no message."""
        self._held, before = True, self._held
        rang_before = self.rang
        try:
            yield
        finally:
            self._held = before
        if self._running and self.rang and not rang_before:
            raise TimeLimit(self._sentence)

    def _stop(self) -> None:
        self._running = False
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        __tracebackhide__ = True  # the student's line is the one to show
        if not self._running:
            return
        self.rang = True
        if not self._held:
            raise TimeLimit(self._sentence)
