"""A waiting run's place in the queue, and how long until it starts: few queries, however many wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from server.domain.labs import rules
from server.domain.labs.models import GradingRun, LabPace, Lane, RunState

WORKERS_SEEN_WITHIN: Final = timedelta(minutes=10)
BETWEEN_RUNS: Final = timedelta(seconds=5)
"""A worker that has nothing for longer, while runs wait, is gone."""
RECENT_RUNS: Final = 200


@dataclass(frozen=True)
class Wait:
    """`place`: 1 is next. `expected_s` is None while no run was ever graded."""

    place: int
    expected_s: float | None


@dataclass(frozen=True)
class Waiting:
    """What waits in a lane, and what comes. `course` and `labs` say of what."""

    lane: int
    kind: int
    course: int
    labs: dict[str, int]
    count: int
    arrivals_a_second: float


class Paces(dict[tuple[int, str], rules.Pace]):
    """By course and lab. What was never graded is taken for the mean of all that was."""

    def __init__(self) -> None:
        rows = LabPace.objects.values_list("course", "lab_slug", "runs", "mean_s", "mean_square")
        super().__init__(
            {(course, lab): rules.Pace(runs, mean_s, square) for course, lab, runs, mean_s, square in rows}
        )
        self.of_all = rules.pace_of_all(self.values())

    def __missing__(self, key: tuple[int, str]) -> rules.Pace:
        return self.of_all

    def mean_s(self, waiting: Waiting) -> float:
        """Of what waits in a lane, for one run."""
        if not waiting.labs:
            return self.of_all.mean_s
        seconds = sum(count * self[waiting.course, lab].mean_s for lab, count in waiting.labs.items())
        return seconds / sum(waiting.labs.values())


class Ahead:
    """Who goes before a run. Two queries."""

    def __init__(self, run: GradingRun, now: datetime) -> None:
        lately = Q(arrivals_at__gte=now - 6 * rules.ARRIVALS_FADE)
        rows = Lane.objects.filter(Q(waiting__gt=0) | lately, kind__lte=run.kind).order_by("kind", "turn", "pk")
        fade_s = rules.ARRIVALS_FADE.total_seconds()
        lanes = [
            Waiting(lane, kind, course, labs, count, rules.faded(arrivals, arrivals_at, now) / fade_s)
            for lane, kind, course, labs, count, arrivals, arrivals_at in rows.values_list(
                "pk", "kind", "klass__course", "labs", "waiting", "arrivals", "arrivals_at"
            )
        ]
        self.first = [lane for lane in lanes if lane.kind < run.kind]
        # A lane in which nothing waits comes in behind the others.
        self.ring = sorted((lane for lane in lanes if lane.kind == run.kind), key=lambda lane: lane.count == 0)
        self.mine = next((at for at, lane in enumerate(self.ring) if lane.lane == run.lane_id), len(self.ring))
        classmates = GradingRun.objects.filter(lane=run.lane_id, state=RunState.QUEUED, turn__lte=run.turn)
        self.classmates = classmates.filter(Q(turn__lt=run.turn) | Q(pk__lt=run.pk)).count()

    def runs(self, after_s: float = 0.0) -> list[tuple[Waiting, float]]:
        """How many runs of each lane, those included that come until then and overtake it."""
        first = [(lane, lane.count + lane.arrivals_a_second * after_s) for lane in self.first]
        counts = [lane.count + lane.arrivals_a_second * after_s for lane in self.ring]
        return first + list(zip(self.ring, rules.ahead_of(counts, self.mine, self.classmates), strict=True))


def wait_of(run: GradingRun, now: datetime) -> Wait:
    """For a queued run; its place is exact if nobody comes any more. What rests after a fault counts as if it did not.

    At most five queries.
    """
    ahead = Ahead(run, now)
    place = 1 + round(sum(count for _, count in ahead.runs()))
    paces = Paces()
    if not paces:
        return Wait(place, None)
    busy = _busy(paces, now)
    is_new = now - run.queued_at < BETWEEN_RUNS
    free = _free(set(busy), now, within=WORKERS_SEEN_WITHIN if is_new else BETWEEN_RUNS)
    if place <= len(free):
        return Wait(place, 0.0)

    def ahead_s(after_s: float) -> float:
        return sum(count * mean for (_, count), mean in zip(ahead.runs(after_s), means, strict=True))

    means = [paces.mean_s(lane) for lane, _ in ahead.runs()]
    rests = [*busy.values(), *(0.0 for finished_at in free if now - finished_at < BETWEEN_RUNS)]
    return Wait(place, rules.expected_wait_s(ahead_s, rests, paces.of_all.residual_s))


def _busy(paces: Paces, now: datetime) -> dict[str, float]:
    """The seconds for which each worker is still busy. One query."""
    running = GradingRun.objects.filter(state=RunState.RUNNING, lease_until__gte=now)
    rows = running.values_list("worker", "started_at", "lane__klass__course", "submission__lab_slug")
    return {
        worker: paces[course, lab].rest_s((now - started_at).total_seconds())
        for worker, started_at, course, lab in rows
        if started_at
    }


def _free(busy: set[str], now: datetime, *, within: timedelta) -> Sequence[datetime]:
    """When each worker that is not busy finished its last run. One query."""
    recent = GradingRun.objects.filter(started_at__gte=now - WORKERS_SEEN_WITHIN, finished_at__isnull=False)
    rows = recent.order_by("-started_at").values_list("worker", "finished_at")[:RECENT_RUNS]
    last: dict[str, datetime] = {}
    for worker, finished_at in rows:
        if finished_at and worker not in busy:
            last[worker] = max(finished_at, last.get(worker, finished_at))
    return [finished_at for finished_at in last.values() if now - finished_at < within]
