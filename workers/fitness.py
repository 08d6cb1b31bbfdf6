"""Whether a worker may claim: one that is broken itself would use up the tries of run after run."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from server.domain.core.events import log

SUSPICIOUS: Final = 2
"""Submissions in a row that met a fault of ours: one may be the submission's own doing."""
FIRST_REST_S: Final = 5.0
LONGEST_REST_S: Final = 60.0

logger = logging.getLogger(__name__)


@dataclass
class Fitness:
    """`try_out` does once, for nobody, what grading needs, and raises whatever stands in its way."""

    try_out: Callable[[], None]
    clock: Callable[[], float] = time.monotonic
    _failed: set[UUID] = field(default_factory=set)
    _rest_s: float = FIRST_REST_S
    _rests_until: float = 0.0

    def note_fault(self, submission: UUID) -> None:
        self._failed.add(submission)

    def note_success(self) -> None:
        self._failed.clear()

    def may_claim(self) -> bool:
        """After faults in a row it must first show that it can do the work; until it does, it rests ever longer."""
        if len(self._failed) < SUSPICIOUS:
            return True
        if self.clock() < self._rests_until:
            return False
        try:
            self.try_out()
        except Exception as error:  # noqa: BLE001  whatever it is, it would meet the next run too
            log(logger, "worker.unfit", logging.ERROR, rests_s=self._rest_s, reason=str(error)[:500])
            self._rests_until = self.clock() + self._rest_s
            self._rest_s = min(2 * self._rest_s, LONGEST_REST_S)
            return False
        self._failed.clear()
        self._rest_s = FIRST_REST_S
        return True
