"""Whatever workers, the reaper and the clock do to the queue, in whatever order."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from server.domain.labs import actions, queue, waits
from server.domain.labs.actions import ClaimedRun, LostLease
from server.domain.labs.models import GradingRun, RunState, Submission
from tests import factories
from tests.factories import NOW, Cast

LEASE = timedelta(seconds=settings.RUN_LEASE_SECONDS)


class Queue(RuleBasedStateMachine):
    """Keeps its own account of who holds what, and compares."""

    claims = Bundle("claims")

    def __init__(self, cast: Cast) -> None:
        super().__init__()
        self.cast = cast
        self.now = NOW
        self.submitted = 0
        self.holders: dict[object, int] = {}
        self.scores: dict[object, float] = {}
        self.undo = transaction.atomic()
        self.undo.__enter__()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.undo.__exit__(None, None, None)

    @initialize()
    def start(self) -> None:
        self.submit("sam")

    @rule(who=st.sampled_from(["sam", "cleo", "eve"]))
    def submit(self, who: str) -> None:
        klass = self.cast.other_class if who == "eve" else self.cast.klass
        try:
            factories.submit(getattr(self.cast, who), klass, now=self.now)
        except actions.NotAccepted:
            return
        self.submitted += 1

    @rule(target=claims, worker=st.sampled_from(["a:1", "b:1"]))
    def claim(self, worker: str) -> ClaimedRun:
        places = {run.uuid: waits.wait_of(run, self.now).place for run in self.waiting()}
        ready = {run.uuid for run in self.waiting().filter(not_before__lte=self.now)}
        claimed = actions.claim_next(worker=worker, now=self.now)
        if claimed is None:
            assert not ready
            return multiple()  # type: ignore[return-value]  # hypothesis's way to add nothing
        assert claimed.run in ready
        assert places[claimed.run] <= 1 + len(places) - len(ready)  # what rests may be passed over, nobody else
        assert claimed.run not in self.holders
        self.holders[claimed.run] = claimed.token
        return claimed

    @staticmethod
    def waiting() -> QuerySet[GradingRun]:
        return GradingRun.objects.filter(state=RunState.QUEUED)

    def is_held(self, claimed: ClaimedRun) -> bool:
        return self.holders.get(claimed.run) == claimed.token

    @rule(claimed=claims)
    def heartbeat(self, claimed: ClaimedRun) -> None:
        try:
            actions.heartbeat(run=claimed.run, token=claimed.token, progress=None, now=self.now)
            assert self.is_held(claimed)
        except LostLease:
            assert not self.is_held(claimed)

    @rule(claimed=claims, points=st.sampled_from([0.0, 1.0, 2.0, 3.0]))
    def record(self, claimed: ClaimedRun, points: float) -> None:
        try:
            factories.record(claimed, factories.report(points), now=self.now)
            assert self.is_held(claimed)
            del self.holders[claimed.run]
            self.scores[claimed.run] = points
        except LostLease:
            assert not self.is_held(claimed)

    @rule(claimed=claims, kindly=st.booleans())
    def give_back(self, claimed: ClaimedRun, kindly: bool) -> None:
        try:
            if kindly:
                actions.release(run=claimed.run, token=claimed.token, now=self.now)
            else:
                actions.record_fault(run=claimed.run, token=claimed.token, fault="Broken.", now=self.now)
            assert self.is_held(claimed)
            del self.holders[claimed.run]
        except LostLease:
            assert not self.is_held(claimed)

    @rule(seconds=st.sampled_from([1, 20, 40, 600]))
    def wait(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule()
    def reap(self) -> None:
        silent = set(
            GradingRun.objects.filter(state=RunState.RUNNING, lease_until__lt=self.now).values_list("uuid", flat=True)
        )
        reaped = actions.reap(now=self.now)
        assert reaped.requeued + reaped.failed == len(silent)
        self.holders = {run: token for run, token in self.holders.items() if run not in silent}

    @invariant()
    def nothing_is_lost_and_nothing_doubled(self) -> None:
        assert Submission.objects.count() == GradingRun.objects.count() == self.submitted

    @invariant()
    def lanes_count_what_waits(self) -> None:
        assert queue.repair() == 0

    @invariant()
    def places_are_a_row_without_a_gap(self) -> None:
        places = [waits.wait_of(run, self.now).place for run in self.waiting()]
        assert sorted(places) == list(range(1, len(places) + 1))

    @invariant()
    def who_holds_a_run_is_who_claimed_it_last(self) -> None:
        held = dict(GradingRun.objects.filter(state=RunState.RUNNING).values_list("uuid", "token"))
        assert held == self.holders

    @invariant()
    def a_score_once_recorded_stays(self) -> None:
        done = dict(GradingRun.objects.filter(state=RunState.DONE).values_list("uuid", "score"))
        assert done == self.scores

    @invariant()
    def nothing_is_tried_too_often(self) -> None:
        assert not GradingRun.objects.filter(tries__gt=settings.RUN_MAX_TRIES).exists()


@pytest.mark.slow
def test_the_queue_keeps_its_promises(cast: Cast) -> None:
    run_state_machine_as_test(
        lambda: Queue(cast),  # type: ignore[arg-type]  # called like the class
        settings=hypothesis_settings(
            max_examples=40,
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
