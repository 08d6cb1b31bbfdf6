"""A waiting run's place, held against the order in which workers take what waits; and how long it will wait."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings
from django.db import transaction
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from server.domain.accounts.models import User
from server.domain.catalog.models import Class
from server.domain.labs import actions, queries, waits
from server.domain.labs.models import GradingRun, RunKind, RunState, Submission
from tests import factories
from tests.factories import NOW, Cast, claim, record, submit
from tests.load import simulation
from tests.load.crowd import crowd, hand_in_all

LATER = NOW + timedelta(minutes=1)
LEASE = timedelta(seconds=settings.RUN_LEASE_SECONDS)

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("submit"), st.integers(0, 5)),
        st.tuples(st.just("regrade"), st.integers(0, 5)),
        st.tuples(st.sampled_from(["claim", "grade", "fault", "release"]), st.just(0)),
    ),
    min_size=4,
    max_size=25,
)


def places() -> dict[UUID, int]:
    queued = GradingRun.objects.filter(state=RunState.QUEUED)
    return {run.uuid: waits.wait_of(run, LATER).place for run in queued}


def claim_all() -> list[UUID]:
    claimed = []
    while (run := actions.claim_next(worker="w", now=LATER)) is not None:
        claimed.append(run.run)
    return claimed


class History:
    """Students of three classes, and what happened to their runs."""

    def __init__(self, cast: Cast) -> None:
        self.ines = cast.ines
        spring = factories.klass(cast.version, "Spring")
        self.members: list[tuple[User, Class]] = [
            (cast.sam, cast.klass),
            (cast.cleo, cast.klass),
            (cast.eve, cast.other_class),
            *((factories.student_of(spring, name), spring) for name in ("Kim", "Lee", "Mio")),
        ]

    def do(self, step: str, who: int) -> None:
        if step == "submit":
            self._submit(*self.members[who])
        elif step == "regrade":
            student, klass = self.members[who]
            done = GradingRun.objects.filter(state=RunState.DONE, submission__user=student, kind=RunKind.INTERACTIVE)
            if (run := done.first()) and klass.title == "Autumn" and not run.submission.runs.filter(number=2).exists():
                actions.regrade(actor=self.ines, submission=run.submission.uuid, now=NOW)
        elif (claimed := actions.claim_next(worker="w", now=NOW)) is not None:
            if step == "grade":
                record(claimed)
            elif step == "fault":
                actions.record_fault(run=claimed.run, token=claimed.token, fault="Broken.", now=NOW)
            elif step == "release":
                actions.release(run=claimed.run, token=claimed.token, now=NOW)

    def _submit(self, student: User, klass: Class) -> None:
        try:
            submit(student, klass)
        except actions.NotAccepted:
            return


@pytest.fixture
def history(cast: Cast) -> History:
    return History(cast)


@pytest.mark.slow
@hypothesis_settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(STEPS)
def test_the_place_is_the_one_in_which_workers_take_it(history: History, steps: list[tuple[str, int]]) -> None:
    """Whatever came before; the back-off of all that rested is over."""
    with transaction.atomic():
        for step in steps:
            history.do(*step)
        foretold = places()
        order = claim_all()
        transaction.set_rollback(True)
    assert foretold == {run: place for place, run in enumerate(order, 1)}


def test_what_rests_never_makes_a_place_too_good(cast: Cast) -> None:
    for student in (cast.sam, cast.cleo):
        submit(student, cast.klass)
    claimed = claim()
    actions.record_fault(run=claimed.run, token=claimed.token, fault="Broken.", now=NOW)
    waiting = GradingRun.objects.get(submission__user=cast.cleo)
    assert waits.wait_of(waiting, NOW).place == 2
    assert claim().run == waiting.uuid


@pytest.mark.parametrize("crowds", [0, 2])
def test_a_place_takes_as_many_queries_in_a_long_queue_as_in_a_short_one(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, crowds: int
) -> None:
    submit(cast.sam, cast.klass)
    record(claim())
    for _ in range(crowds):
        hand_in_all(crowd(cast.version, 50))
    waiting = submit(cast.cleo, cast.klass).runs.get()
    with django_assert_num_queries(5):
        waits.wait_of(waiting, NOW)


@pytest.mark.parametrize("crowds", [0, 2])
def test_a_claim_takes_as_many_queries_in_a_long_queue_as_in_a_short_one(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, crowds: int
) -> None:
    submit(cast.sam, cast.klass)
    for _ in range(crowds):
        hand_in_all(crowd(cast.version, 50))
    # The head; savepoint, lane, run, last turn, lane, run, trail, savepoint.
    with django_assert_num_queries(9):
        claim()


class TestExpectedWait:
    """Runs of `quick` take 10 s, of `slow` 50 s."""

    @pytest.fixture
    def klass(self, cast: Cast) -> Class:
        labs = {"quick": simulation.Duration(10, 0), "slow": simulation.Duration(50, 0), "new": simulation.LABS["slow"]}
        return factories.klass(simulation.course_of(labs), "Paced")

    @pytest.fixture
    def learned(self, klass: Class) -> Class:
        for lab, seconds in (("quick", 10), ("slow", 50)):
            self.hand_in(klass, lab)
            self.grade("teacher:1", seconds, at=NOW - timedelta(hours=1))
        return klass

    def hand_in(self, klass: Class, lab: str) -> GradingRun:
        name = f"Student{User.objects.count()}"
        submission = actions.submit_notebook(
            actor=factories.student_of(klass, name),
            klass=klass,
            lab_slug=lab,
            filename="lab.ipynb",
            content=factories.notebook(lab=f"{factories.COURSE}/{lab}"),
            idempotency_key=name,
            now=NOW,
        )
        return submission.runs.get()

    def grade(self, worker: str, seconds: float, *, at: object = NOW) -> None:
        claimed = actions.claim_next(worker=worker, now=NOW)
        assert claimed is not None
        GradingRun.objects.filter(uuid=claimed.run).update(started_at=at)
        record(claimed, factories.report(lab=claimed.lab), now=at + timedelta(seconds=seconds))  # type: ignore[operator]

    def wait(self, run: GradingRun, *, after_s: float = 0.0) -> float | None:
        return waits.wait_of(run, NOW + timedelta(seconds=after_s)).expected_s

    def test_nothing_is_known_before_the_first_report(self, klass: Class) -> None:
        assert self.wait(self.hand_in(klass, "quick")) is None

    def test_a_free_worker_begins_at_once(self, learned: Class) -> None:
        self.hand_in(learned, "quick")
        self.grade("w:1", 10, at=NOW - timedelta(minutes=2))
        assert self.wait(self.hand_in(learned, "quick")) == 0

    def test_what_runs_counts_with_the_rest_of_its_time(self, learned: Class) -> None:
        self.hand_in(learned, "slow")
        claim(worker="w:1")
        waiting = self.hand_in(learned, "quick")
        assert [self.wait(waiting, after_s=seconds) for seconds in (0, 20)] == [50, 30]

    def test_each_lab_ahead_counts_with_its_own_time(self, learned: Class) -> None:
        self.hand_in(learned, "quick")
        claim(worker="w:1")
        for lab in ("slow", "slow"):
            self.hand_in(learned, lab)
        alone = factories.klass(learned.version, "Alone")
        self.hand_in(alone, "quick")
        waiting = self.hand_in(alone, "quick")
        # What runs, two slow ones of the class whose turn comes first, one quick one; and some that may yet come.
        assert 120 <= (self.wait(waiting) or 0) < 150

    def test_a_lab_that_was_never_graded_counts_as_all_labs_do(self, learned: Class) -> None:
        self.hand_in(learned, "new")
        claim(worker="w:1")
        assert self.wait(self.hand_in(learned, "quick")) == 30

    def test_two_workers_share_what_is_ahead(self, learned: Class) -> None:
        for _ in range(2):
            self.hand_in(learned, "quick")
        for worker in ("w:1", "w:2"):
            claim(worker=worker)
        for _ in range(10):
            self.hand_in(learned, "quick")
        assert self.wait(self.hand_in(learned, "quick")) == pytest.approx(10 * 10 / 2, abs=15)

    def test_a_worker_whose_lease_is_over_is_not_counted(self, learned: Class) -> None:
        for _ in range(2):
            self.hand_in(learned, "quick")
        claim(worker="dead:1")
        claimed = claim(worker="w:1")
        soon = NOW + LEASE - timedelta(seconds=1)
        actions.heartbeat(run=claimed.run, token=claimed.token, progress=None, now=soon)
        for _ in range(9):
            self.hand_in(learned, "quick")
        waiting = self.hand_in(learned, "quick")
        assert (self.wait(waiting) or 0) < 60
        assert (self.wait(waiting, after_s=LEASE.total_seconds() + 1) or 0) >= 90

    def test_a_worker_that_takes_nothing_while_others_wait_is_gone(self, learned: Class) -> None:
        self.hand_in(learned, "quick")
        self.grade("w:1", 10, at=NOW - timedelta(seconds=20))
        self.hand_in(learned, "quick")
        waiting = self.hand_in(learned, "quick")
        assert self.wait(waiting, after_s=30) == 10


@pytest.mark.slow
def test_the_expected_wait_is_about_right_for_most(cast: Cast) -> None:
    """With durations that differ threefold, two workers, and others that come in between."""
    scenario = simulation.Scenario("small", simulation.LABS, workers=2, classes=2, arrivals=120, load=0.9, students=20)
    found = simulation.summary(simulation.simulate(scenario))
    assert found["compared"] > 50
    assert found["share_median"] < 0.5
    assert abs(found["bias"]) < 0.4


def test_a_page_shows_place_and_wait(cast: Cast) -> None:
    submit(cast.sam, cast.klass)
    record(claim(), now=NOW + timedelta(seconds=40))
    submit(cast.sam, cast.klass)
    claim()
    status = queries.run_status(cast.cleo, submit(cast.cleo, cast.klass).uuid, now=NOW)
    assert (status.place, status.expected_wait_s) == (1, 40)


def test_a_submission_without_a_queued_run_has_no_place(cast: Cast) -> None:
    submission: Submission = submit(cast.sam, cast.klass)
    claim()
    assert queries.run_status(cast.sam, submission.uuid, now=NOW).place is None
