"""How far the expected wait is off: real actions on a simulated clock, with simulated workers of seeded durations."""

from __future__ import annotations

import heapq
import itertools
import math
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.test import override_settings

from server.domain.accounts.models import User
from server.domain.catalog import actions as catalog
from server.domain.catalog.models import CourseVersion
from server.domain.labs import actions, queries
from tests import factories
from tests.load.crowd import Crowd, crowd

WORTH_COMPARING_S = 5.0
"""A relative error says nothing of a wait that is next to nothing."""


@dataclass(frozen=True)
class Duration:
    """Log-normal, as times of programs are: no two alike, some very long. `spread`: deviation over mean."""

    mean_s: float
    spread: float

    def draw(self, dice: random.Random) -> float:
        sigma = math.sqrt(math.log(1 + self.spread**2))
        return dice.lognormvariate(math.log(self.mean_s) - sigma**2 / 2, sigma)


@dataclass(frozen=True)
class Scenario:
    """`load`: the share of the workers' time that steady arrivals take. `bursts`: at which second how many hand in
    at once, class by class."""

    name: str
    labs: Mapping[str, Duration]
    workers: int
    classes: int
    arrivals: int
    load: float
    bursts: Sequence[tuple[float, int]] = ()
    students: int = 100
    seed: int = 1


@dataclass(frozen=True)
class Prediction:
    """Seconds from handing in until grading started, as foretold then and as it was; None: nothing was known."""

    predicted_s: float | None
    actual_s: float


LABS = {"quick": Duration(5.0, 0.3), "slow": Duration(40.0, 0.5)}
SCENARIOS = (
    Scenario("steady, 1 worker", LABS, workers=1, classes=3, arrivals=300, load=0.85),
    Scenario("steady, 4 workers", LABS, workers=4, classes=5, arrivals=400, load=0.9),
    Scenario(
        "bursts, 4 workers", LABS, workers=4, classes=5, arrivals=200, load=0.5, bursts=((300.0, 100), (2000.0, 100))
    ),
    Scenario("one lab, a burst, 2 workers", {"quick": Duration(5.0, 0.3)}, 2, 2, 50, 0.5, bursts=((100.0, 150),)),
)


def summary(predictions: Sequence[Prediction]) -> dict[str, float]:
    """`share_*`: relative errors; `bias`: the sum of what was foretold over that of what was. Both of longer waits."""
    known = [(each.predicted_s, each.actual_s) for each in predictions if each.predicted_s is not None]
    long = [(foretold, actual) for foretold, actual in known if actual >= WORTH_COMPARING_S]
    shares = sorted(abs(foretold - actual) / actual for foretold, actual in long)
    seconds = sorted(abs(foretold - actual) for foretold, actual in known)
    return {
        "waits": len(predictions),
        "unknown": len(predictions) - len(known),
        "compared": len(long),
        "median_wait_s": statistics.median(actual for _, actual in known),
        "share_median": _quantile(shares, 0.5),
        "share_p90": _quantile(shares, 0.9),
        "seconds_median": _quantile(seconds, 0.5),
        "seconds_p90": _quantile(seconds, 0.9),
        "bias": sum(foretold for foretold, _ in long) / sum(actual for _, actual in long) - 1,
    }


def simulate(scenario: Scenario, *, start: datetime = factories.NOW) -> list[Prediction]:
    with override_settings(RUN_LEASE_SECONDS=24 * 3600):  # in place of heartbeats
        return _World(scenario, start).run()


class _World:
    def __init__(self, scenario: Scenario, start: datetime) -> None:
        self.scenario, self.start = scenario, start
        self.dice = random.Random(scenario.seed)
        version = course_of(scenario.labs, start)
        self.crowds = [crowd(version, scenario.students, now=start) for _ in range(scenario.classes)]
        self.idle = [f"worker:{number}" for number in range(scenario.workers)]
        self.foretold: dict[UUID, float | None] = {}
        self.predictions: list[Prediction] = []
        self.order = itertools.count()
        self.events: list[tuple[float, int, Crowd | tuple[str, actions.ClaimedRun]]] = []

    def run(self) -> list[Prediction]:
        for second, where in self._arrivals():
            self._at(second, where)
        while self.events:
            second, _, what = heapq.heappop(self.events)
            now = self.start + timedelta(seconds=second)
            if isinstance(what, Crowd):
                self._hand_in(what, now)
            else:
                worker, claimed = what
                factories.record(claimed, factories.report(lab=claimed.lab), now=now)
                self.idle.append(worker)
            self._dispatch(second, now)
        return self.predictions

    def _arrivals(self) -> Iterator[tuple[float, Crowd]]:
        mean_s = statistics.fmean(each.mean_s for each in self.scenario.labs.values())
        second = 0.0
        for _ in range(self.scenario.arrivals):
            second += self.dice.expovariate(self.scenario.load * self.scenario.workers / mean_s)
            yield second, self.dice.choice(self.crowds)
        for place, (second, count) in enumerate(self.scenario.bursts):
            for _ in range(count):
                yield second, self.crowds[place % len(self.crowds)]

    def _at(self, second: float, what: Crowd | tuple[str, actions.ClaimedRun]) -> None:
        heapq.heappush(self.events, (second, next(self.order), what))

    def _hand_in(self, where: Crowd, now: datetime) -> None:
        lab = self.dice.choice(sorted(self.scenario.labs))
        for student in self.dice.sample(where.students, len(where.students)):
            try:
                submission = _submit(student, where, lab, now)
            except actions.NotAccepted:
                continue  # that one has enough waiting
            self.foretold[submission] = queries.run_status(student, submission, now=now).expected_wait_s
            return

    def _dispatch(self, second: float, now: datetime) -> None:
        while self.idle and (claimed := actions.claim_next(worker=self.idle[0], now=now)) is not None:
            worker = self.idle.pop(0)
            waited = (now - claimed.queued_at).total_seconds()
            self.predictions.append(Prediction(self.foretold.pop(claimed.submission), waited))
            self._at(second + self.scenario.labs[claimed.lab.partition("/")[2]].draw(self.dice), (worker, claimed))


def course_of(labs: Mapping[str, Duration], now: datetime = factories.NOW) -> CourseVersion:
    bundles = {lab: factories.bundle(f"{factories.COURSE}/{lab}") for lab in labs}
    manifest = factories.manifest(factories.COURSE, *labs)
    return catalog.publish_course(actor=None, manifest=manifest, labs=bundles, now=now)


def _submit(student: User, where: Crowd, lab: str, now: datetime) -> UUID:
    return actions.submit_notebook(
        actor=student,
        klass=where.klass,
        lab_slug=lab,
        filename="lab.ipynb",
        content=factories.notebook(lab=f"{factories.COURSE}/{lab}"),
        idempotency_key=f"simulated-{next(_keys)}",
        now=now,
    ).uuid


_keys = itertools.count(1)


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else math.nan
