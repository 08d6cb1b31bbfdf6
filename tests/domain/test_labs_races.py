"""Threads with connections of their own, on whichever database the tests run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import pytest
from django.db import connection

from server.domain.core.errors import Conflict
from server.domain.labs import actions, rules
from server.domain.labs.models import GradingRun, RunState, Submission
from tests import factories
from tests.factories import NOW, Cast, submit

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
