"""How runs take turns, how long a wait will be, and which run counts. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

MAX_WAITING: Final = 3
PACE_RUNS: Final = 30
ARRIVALS_FADE: Final = timedelta(minutes=10)
MOST_BY_ARRIVALS: Final = 3
"""A crowd that came at once does not go on coming: so many times what is there already is the most to expect."""
WAIT_STEPS: Final = 6


class Numbered(Protocol):
    @property
    def number(self) -> int: ...

    @property
    def state(self) -> str: ...

    @property
    def trial(self) -> bool: ...


Run = TypeVar("Run", bound=Numbered)


def turn_of(round_now: int, last_turn: int | None) -> int:
    """The round of its lane in which a run goes: each student has one run in a round, whoever came first goes first.

    A student who comes anew joins the round that is under way, so a classmate's burst costs one place; a run waits
    at most for one run of each classmate per round before it.
    """
    return max(round_now, (last_turn or 0) + 1)


def ahead_of(waiting: Sequence[float], mine: int, before: int) -> list[float]:
    """How many runs of each lane go before one that has `before` ahead of it in the lane `mine`.

    `waiting` counts what waits in each lane, in the order in which the lanes' turns come. Each gives one run a turn,
    then goes behind the others: the order of lanes stays the same round for round.
    """
    return [
        before if lane == mine else min(count, before + (1 if lane < mine else 0)) for lane, count in enumerate(waiting)
    ]


def faded(arrivals: float, counted_at: datetime | None, now: datetime) -> float:
    """A count of arrivals of which only those of about the last ARRIVALS_FADE are left."""
    age = timedelta() if counted_at is None else max(now - counted_at, timedelta())
    return arrivals * math.exp(-age / ARRIVALS_FADE)


def back_off(tries: int) -> timedelta:
    """How long a run rests after its `tries`-th try ended in a fault of ours: 5 s, 20 s, 80 s, ... 10 min at most."""
    return timedelta(seconds=min(5 * 4 ** max(tries - 1, 0), 600))


def is_given_up(tries: int, max_tries: int) -> bool:
    return tries >= max_tries


@dataclass(frozen=True)
class Pace:
    """How long a lab's grading takes: mean and mean square of `runs` durations, the latest PACE_RUNS weighing most."""

    runs: int
    mean_s: float
    mean_square: float

    def after(self, seconds: float) -> Pace:
        share = 1 / min(self.runs + 1, PACE_RUNS)
        return Pace(
            self.runs + 1,
            self.mean_s + share * (seconds - self.mean_s),
            self.mean_square + share * (seconds**2 - self.mean_square),
        )

    def rest_s(self, elapsed_s: float) -> float:
        """What a run still takes: the more durations differ, the less it tells how long it has been running."""
        deviation = math.sqrt(max(self.mean_square - self.mean_s**2, 0.0))
        return max(self.mean_s - elapsed_s, min(deviation, self.mean_s))

    @property
    def residual_s(self) -> float:
        """What a run still takes that is met at a random moment: longer ones are met more often."""
        return self.mean_square / (2 * self.mean_s) if self.mean_s else 0.0


NO_PACE: Final = Pace(0, 0.0, 0.0)


def pace_of_all(paces: Iterable[Pace]) -> Pace:
    known = [pace for pace in paces if pace.runs]
    runs = sum(pace.runs for pace in known)
    if not runs:
        return NO_PACE
    return Pace(
        runs,
        sum(pace.runs * pace.mean_s for pace in known) / runs,
        sum(pace.runs * pace.mean_square for pace in known) / runs,
    )


def expected_wait_s(ahead_s: Callable[[float], float], rests_s: Sequence[float], residual_s: float) -> float:
    """Seconds until a run starts.

    `ahead_s` tells the seconds of others' grading that go before it if it waits so long: what comes meanwhile may
    overtake it. `rests_s` says for each worker how long it is busy yet; none at all is taken for one that is free.
    Until the run starts they all work: on what runs now and on what is ahead, less what the others have not finished
    by then.
    """
    workers = max(len(rests_s), 1)

    def wait_s(meanwhile_s: float) -> float:
        return max(0.0, (ahead_s(meanwhile_s) + sum(rests_s) - (workers - 1) * residual_s) / workers)

    alone_s = wait = wait_s(0.0)
    for _ in range(WAIT_STEPS):
        wait = min(wait_s(wait), MOST_BY_ARRIVALS * alone_s)
    return wait


def counted(runs: Iterable[Run]) -> Run | None:
    """The run whose score counts: the newest that is done and no trial, whatever became of later ones."""
    return current(run for run in runs if run.state == "done")


def current(runs: Iterable[Run]) -> Run | None:
    """The run that a page watches: the newest that is no trial."""
    return max((run for run in runs if not run.trial), key=lambda run: run.number, default=None)
