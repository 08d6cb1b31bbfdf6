"""Threads with connections of their own, on whichever database the tests run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

import pytest
from django.db import connection

from server.domain.core.errors import Conflict
from server.domain.labs import actions, queue, regrades, rules
from server.domain.labs.models import GradingRun, Lane, RunState, Submission
from tests import factories
from tests.factories import NOW, Cast, submit
from tests.load.crowd import crowd, hand_in_all

pytestmark = pytest.mark.django_db(transaction=True)

T = TypeVar("T")


def at_once(*calls: Callable[[], T]) -> list[T | BaseException]:
    """What each returned or raised, all begun together."""
    gate = threading.Barrier(len(calls))
    results: list[T | BaseException | None] = [None] * len(calls)

    def run(number: int) -> None:
        gate.wait()
        try:
            results[number] = calls[number]()
        except BaseException as error:  # noqa: BLE001  # handed to the test
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results  # type: ignore[return-value]


def test_the_same_key_at_once_is_one_submission(cast: Cast) -> None:
    results = at_once(*[lambda: submit(cast.sam, cast.klass, key="once").uuid] * 6)
    assert len(set(results)) == 1
    assert (Submission.objects.count(), GradingRun.objects.count()) == (1, 1)


def test_the_limit_of_waiting_submissions_holds(cast: Cast) -> None:
    at_once(*[lambda: submit(cast.sam, cast.klass)] * (rules.MAX_WAITING + 3))
    assert Submission.objects.count() == rules.MAX_WAITING


def test_each_run_is_claimed_by_one_worker(cast: Cast) -> None:
    students = [factories.student_of(cast.klass, f"Student{number}") for number in range(10)]
    for student in students:
        submit(student, cast.klass)

    def work(worker: str) -> list[object]:
        claimed: list[object] = []
        while (run := actions.claim_next(worker=worker, now=NOW)) is not None:
            claimed.append(run.run)
        return claimed

    results = at_once(*[lambda number=number: work(f"w:{number}") for number in range(4)])
    claimed = [run for result in results for run in result]  # type: ignore[union-attr]
    assert (len(claimed), len(set(claimed))) == (10, 10)


def test_a_report_and_the_reaper_can_not_both_win(cast: Cast) -> None:
    submit(cast.sam, cast.klass)
    claimed = factories.claim()
    late = claimed.lease_until.replace(year=2030)
    recorded, reaped = at_once(lambda: factories.record(claimed, now=NOW), lambda: actions.reap(now=late).requeued)
    run = GradingRun.objects.get()
    if isinstance(recorded, actions.LostLease):
        assert (reaped, run.state) == (1, RunState.QUEUED)
    else:
        assert (recorded, reaped, run.state) == (None, 0, RunState.DONE)


def test_a_failed_run_is_restarted_once(cast: Cast) -> None:
    submission = submit(cast.sam, cast.klass)
    factories.fail_one()
    results = at_once(*[lambda: actions.restart_failed(actor=cast.ines, submission=submission.uuid, now=NOW)] * 4)
    assert [type(result) for result in results if result] == [Conflict] * 3
    assert submission.runs.count() == 2


def test_the_same_course_published_at_once_is_one_version(cast: Cast) -> None:
    results = at_once(*[lambda: factories.publish(summary="Changed.").pk] * 4)
    assert len(set(results)) == 1


def _claimed_at_once(workers: int, each: int) -> list[UUID]:
    def work(worker: str) -> list[UUID]:
        return [run.run for _ in range(each) if (run := actions.claim_next(worker=worker, now=NOW))]

    results = at_once(*[lambda number=number: work(f"w:{number}") for number in range(workers)])
    return [run for result in results for run in result]  # type: ignore[union-attr]


def test_many_workers_at_once_serve_each_class_in_its_turn(cast: Cast) -> None:
    """However claims meet, the first eight of two crowds and two single runs hold both of those."""
    for _ in range(2):
        hand_in_all(crowd(cast.version, 20))
    singles = {submit(cast.eve, cast.other_class).uuid, submit(cast.sam, cast.klass).uuid}
    claimed = _claimed_at_once(workers=4, each=2)
    assert len(set(claimed)) == 8
    assert singles <= set(GradingRun.objects.filter(uuid__in=claimed).values_list("submission__uuid", flat=True))


def test_workers_at_once_find_all_that_one_class_has(cast: Cast) -> None:
    hand_in_all(crowd(cast.version, 30))
    claimed = _claimed_at_once(workers=5, each=6)
    assert (len(claimed), len(set(claimed))) == (30, 30)


def test_counts_stay_true_whoever_comes_and_goes_at_once(cast: Cast) -> None:
    hand_in_all(crowd(cast.version, 12))
    held = [factories.claim(worker=f"w:{number}") for number in range(4)]
    students = [factories.student_of(cast.klass, f"Student{number}") for number in range(4)]

    def give_back(claimed: actions.ClaimedRun) -> None:
        actions.record_fault(run=claimed.run, token=claimed.token, fault="Broken.", now=NOW)

    results = at_once(
        *[lambda student=student: submit(student, cast.klass) and None for student in students],
        *[lambda claimed=claimed: give_back(claimed) for claimed in held],
        *[lambda: actions.claim_next(worker="w", now=NOW) and None] * 4,
        lambda: actions.reap(now=NOW) and None,
    )
    assert results == [None] * 13
    assert queue.repair() == 0
    assert GradingRun.objects.filter(state=RunState.QUEUED).count() == 12


def test_the_first_two_of_a_class_at_once_share_its_lane(cast: Cast) -> None:
    at_once(lambda: submit(cast.sam, cast.klass), lambda: submit(cast.cleo, cast.klass))
    assert Lane.objects.get().waiting == 2


def test_a_regrade_discarded_while_workers_take_it_loses_and_doubles_nothing(cast: Cast) -> None:
    for student in (cast.sam, cast.cleo):
        submit(student, cast.klass)
        factories.record(factories.claim())
    version = factories.publish(summary="Changed.")
    regrade = regrades.ask(
        actor=cast.ines,
        klass=cast.klass,
        lab_slug=factories.LAB,
        version=version,
        reason="New tests.",
        also_current=True,
        now=NOW,
    )
    results = at_once(
        lambda: regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW),
        *[lambda: actions.claim_next(worker="w", now=NOW) and None] * 3,
    )
    assert results == [None] * 4
    assert not GradingRun.objects.filter(regrade=regrade).exclude(state=RunState.FAILED).exists()
    assert queue.repair() == 0
