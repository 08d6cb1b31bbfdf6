"""Calm, storm, quiet, restart: one campaign, and all that it found."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.db import connection

from server.domain.core import clock
from server.domain.core.models import AuditEvent
from server.domain.labs import actions
from server.domain.labs.models import GradingRun, RunState, Submission
from tests.chaos import plan, processes, verdict
from tests.chaos.clients import PATIENCE_S, Order, Student
from tests.chaos.installation import Installation, migrate, wait_until
from tests.chaos.lab import KINDS, SCORES, School, comparable, open_school
from tests.chaos.saboteur import Saboteur, Struck

CALM_S: Final = 180.0
QUIET_S: Final = 420.0
AT_HOME: Final = 4
"""Students who hand in through the web, and as many minus two by the action."""
ENOUGH: Final = 3


@dataclass
class Result:
    seed: int
    database: str
    means: list[str]
    struck: list[Struck] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    restarted: list[UUID] = field(default_factory=list)
    faults: dict[str, list[str]] = field(default_factory=dict)
    claims: int = 0
    zombies: int = 0
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return not any(self.faults.values())


class Campaign:
    """Run it in a thread beside the one that keeps the installation up."""

    def __init__(self, installation: Installation, *, seed: int, submissions: int, short: bool) -> None:
        self._installation = installation
        self._dice = random.Random(seed)
        self._submissions = submissions
        self._short = short
        self._lock = threading.Lock()
        self._students: list[Student] = []
        self.result = Result(seed, connection.vendor, list(_means(installation)))

    def run(self, say: Callable[[str], None]) -> None:
        began = time.monotonic()
        school = open_school(2 * AT_HOME - 2)
        self._students = [
            Student(school, user, self._installation.url if number < AT_HOME else None)
            for number, user in enumerate(school.students)
        ]
        for student in self._students:
            student.start()
        say(f"Calm: {len(KINDS)} notebooks, undisturbed.")
        undisturbed = self._calm()
        say("Storm.")
        self._storm(say)
        say(f"Quiet: {len(self.result.orders)} notebooks were handed in.")
        faults = self.result.faults
        hidden = self._quiet(school)
        faults["A failed run is visible to the instructor and can be restarted"] = hidden
        faults["Each client was told of one submission, which was kept"] = list(
            verdict.told_and_kept(self.result.orders)
        )
        faults["No attempt was lost or used twice"] = list(verdict.attempts_hold())
        faults["Each submission has exactly one current report"] = list(verdict.one_report_each())
        faults["Each report equals the undisturbed one"] = list(
            verdict.reports_are_right(self.result.orders, undisturbed)
        )
        faults["Each executed notebook was rendered"] = list(verdict.pages_are_there())
        faults["Nothing was graded under a stale token"] = list(verdict.tokens_hold())
        self.result.claims = AuditEvent.objects.filter(verb="labs.run-claimed").count()
        self.result.zombies = self._installation.log().count("run.lost")
        self.result.seconds = time.monotonic() - began

    def one_more(self) -> None:
        """A notebook after the restart: when it is graded, the workers are up, and have swept."""
        student = self._students[-1]
        again = Student(student.school, student.user, None)
        again.start()
        order = self._hand_in("right", again)
        again.orders.put(None)
        again.join(PATIENCE_S)
        wait_until("graded after the restart", lambda: _is_rendered(order), CALM_S)

    def _hand_in(self, kind: str | None = None, student: Student | None = None) -> Order:
        with self._lock:
            chosen = student or self._dice.choice(self._students)
            number = len(self.result.orders) + 1
            order = Order(number, kind or self._dice.choice(list(KINDS)), chosen.way)
            self.result.orders.append(order)
        chosen.orders.put(order)
        return order

    def _feed(self, phase: str) -> None:
        """One more notebook, unless enough are on their way to that phase."""
        on_their_way = sum(order.told is None for order in self.result.orders)
        if phase not in plan.HANDING_IN:
            on_their_way += GradingRun.objects.filter(state__in=(RunState.QUEUED, RunState.RUNNING)).count()
        if on_their_way < ENOUGH:
            self._hand_in(student=self._students[len(self.result.orders) % len(self._students)])

    def _calm(self) -> dict[str, Any]:
        orders = [self._hand_in(kind, student) for kind, student in zip(KINDS, self._students, strict=False)]
        wait_until("graded in calm weather", lambda: all(map(_is_rendered, orders)), CALM_S)
        found = {}
        for order in orders:
            run = GradingRun.objects.get(submission__uuid=order.told)
            if run.score != SCORES[order.kind] or run.report is None:
                raise AssertionError(f"Undisturbed, the {order.kind} notebook got {run.score}: {run.report}")
            found[order.kind] = comparable(run.report, run.executed_sha)
        return found

    def _storm(self, say: Callable[[str], None]) -> None:
        saboteur = Saboteur(self._installation, self._dice, self._feed)
        for strike in self._strikes():
            struck = saboteur.strike(strike)
            while len(self.result.orders) < self._due(len(self.result.struck)):
                self._hand_in()
            self.result.struck.append(struck)
            done = GradingRun.objects.filter(state=RunState.DONE).count()
            outcome = f" - not done: {struck.missing}" if struck.missing else ""
            say(f"{len(self.result.struck):4} {strike.kind}, {strike.phase}{outcome} [{done} graded]")
            if not struck.missing:
                # A breath, so that what was struck is met by the next strike at another moment, not always at once.
                time.sleep(self._dice.uniform(0.0, 1.0))

    def _due(self, strikes: int) -> float:
        """How many should have been handed in by now: all, when every pair has had its turn."""
        return 0 if self._short else self._submissions * strikes / len(plan.all_pairs())

    def _strikes(self) -> Iterator[plan.Strike]:
        """The plan, over and over, until enough were handed in; a short campaign's once."""
        yield from plan.drawn(self._dice, short=self._short)
        while len(self.result.orders) < self._submissions:
            for strike in plan.drawn(self._dice, short=self._short):
                if len(self.result.orders) >= self._submissions:
                    return
                yield strike

    def _quiet(self, school: School) -> list[str]:
        """Wait until all is graded, restart what failed for good, and wait again."""
        for student in self._students:
            student.orders.put(None)
        for student in self._students:
            student.join(PATIENCE_S)
        hidden: list[str] = []
        while True:
            _settle()
            failed, unseen = verdict.failed_runs(school)
            hidden += unseen
            if not failed:
                break
            for submission in failed:
                actions.restart_failed(actor=school.ines, submission=submission, now=clock.now())
            self.result.restarted += failed
        return hidden


def after_restart(installation: Installation) -> Iterator[str]:
    """What a fresh start must have swept. The installation is stopped."""
    yield from verdict.nothing_is_left(installation.data, installation.folder / "tmp", verdict.workers_seen())


def recoveries(result: Result) -> dict[str, list[float]]:
    """By kind of sabotage: seconds from its end until the run that it struck was graded; where it struck none, until
    the next report of any run."""
    graded = AuditEvent.objects.filter(verb="labs.run-graded").order_by("at")
    by_run: dict[UUID, datetime] = {}
    times = []
    for run, at in graded.values_list("target_id", "at"):
        by_run[run] = at
        times.append(at)
    found: dict[str, list[float]] = {}
    for struck in result.struck:
        if struck.missing:
            continue
        at = by_run.get(struck.run) if struck.run else None
        if at is None or at < struck.at:
            at = next((time for time in times if time > struck.over), None)
        if at is not None:
            found.setdefault(struck.strike.kind, []).append(max(0.0, (at - struck.over).total_seconds()))
    return found


def age(files: Sequence[Path], hours: float) -> None:
    """As if they had been lying there for that long."""
    then = time.time() - hours * 3600
    for file in files:
        os.utime(file, (then, then))


def prepare() -> None:
    migrate()
    processes.adopt_orphans()


def _is_rendered(order: Order) -> bool:
    return GradingRun.objects.filter(submission__uuid=order.told, state=RunState.DONE).exclude(html_sha="").exists()


def _settle() -> None:
    """Until no run waits or is at work, and no page is due."""

    def unsettled() -> bool:
        waiting = GradingRun.objects.filter(state__in=(RunState.QUEUED, RunState.RUNNING))
        pages = GradingRun.objects.filter(state=RunState.DONE, html_sha="", rendering_not_before__isnull=False)
        return waiting.exists() or pages.exists()

    end = time.monotonic() + QUIET_S
    while unsettled() and time.monotonic() < end:
        time.sleep(0.2)


def _means(installation: Installation) -> Iterator[str]:
    if installation.disk is None:
        yield "No disk can be mounted here: a full one is played by refusing to make files in the store."
    if Submission.objects.exists():
        yield "The database was not empty."


__all__ = ["Campaign", "Result", "after_restart", "age", "prepare", "recoveries"]
