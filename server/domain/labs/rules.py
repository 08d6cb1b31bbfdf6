"""How runs take turns, how long a wait will be, and which run counts. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

TURN: Final = timedelta(minutes=5)
MAX_WAITING: Final = 3
DURATIONS_TO_KNOW: Final = 3


class Numbered(Protocol):
    @property
    def number(self) -> int: ...

    @property
    def state(self) -> str: ...

    @property
    def trial(self) -> bool: ...


Run = TypeVar("Run", bound=Numbered)


def turn_at(queued_at: datetime, last_turn: datetime | None) -> datetime:
    """The moment by which a run is ordered in the queue: a student's runs stand at least one TURN apart.

    So a burst of one student's interleaves with what classmates hand in meanwhile, and nobody waits forever: only
    runs with an earlier turn go first, and those are finitely many. It orders the queue; it delays nothing.
    """
    return queued_at if last_turn is None else max(queued_at, last_turn + TURN)


def back_off(tries: int) -> timedelta:
    """How long a run rests after its `tries`-th try ended in a fault of ours: 5 s, 20 s, 80 s, ... 10 min at most."""
    return timedelta(seconds=min(5 * 4 ** max(tries - 1, 0), 600))


def is_given_up(tries: int, max_tries: int) -> bool:
    return tries >= max_tries


def expected_wait_s(place: int, workers: int, durations_s: Sequence[float]) -> float | None:
    """Seconds until the run in that place (1 is next) starts, from how long recent runs of its lab took.

    None while too few runs are known to say.
    """
    if len(durations_s) < DURATIONS_TO_KNOW:
        return None
    return statistics.median(durations_s) * place / max(workers, 1)


def counted(runs: Iterable[Run]) -> Run | None:
    """The run whose score counts: the newest that is done and no trial, whatever became of later ones."""
    return current(run for run in runs if run.state == "done")


def current(runs: Iterable[Run]) -> Run | None:
    """The run that a page watches: the newest that is no trial."""
    return max((run for run in runs if not run.trial), key=lambda run: run.number, default=None)
