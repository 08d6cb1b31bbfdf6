"""Two instructors, a worker and a student at once, each with a connection of their own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from server.domain.catalog import actions as catalog
from server.domain.catalog.models import Class
from server.domain.core.errors import Conflict
from server.domain.core.models import AuditEvent
from server.domain.labs import actions, queries, regrade_queries, regrades
from server.domain.labs.models import GradingRun, Lane, Regrade, RunState, Submission
from tests import factories, regrading
from tests.domain.test_labs_races import at_once
from tests.factories import LAB, NOW, Cast

pytestmark = pytest.mark.django_db(transaction=True)


def score(cast: Cast) -> float | None:
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    return row.score


def test_a_regrade_is_asked_for_once(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 2.0)
    version = regrading.another_version()
    results = at_once(*[lambda: regrading.ask(cast, version)] * 4)
    assert sum(isinstance(result, Conflict) for result in results) == 3
    assert (Regrade.objects.count(), GradingRun.objects.filter(trial=True).count()) == (1, 1)


def test_a_regrade_is_applied_once(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    seen = regrade_queries.preview(cast.ines, regrade.uuid).fingerprint
    results = at_once(*[lambda: regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=seen, now=NOW)] * 4)
    assert sum(isinstance(result, Conflict) for result in results) == 3
    assert AuditEvent.objects.filter(verb="labs.regraded").count() == 1
    assert score(cast) == 3.0


def test_applying_and_discarding_can_not_both_win(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    seen = regrade_queries.preview(cast.ines, regrade.uuid).fingerprint
    applied, discarded = at_once(
        lambda: regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=seen, now=NOW),
        lambda: regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW),
    )
    assert isinstance(applied, Conflict) != isinstance(discarded, Conflict)
    assert score(cast) == (2.0 if isinstance(applied, Conflict) else 3.0)


def test_applying_and_a_single_regrade_of_the_same_notebook_leave_one_answer(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    seen = regrade_queries.preview(cast.ines, regrade.uuid).fingerprint
    applied, _ = at_once(
        lambda: regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=seen, now=NOW),
        lambda: actions.regrade(actor=cast.ines, submission=row.uuid, now=NOW),
    )
    assert score(cast) == (2.0 if isinstance(applied, Conflict) else 3.0)
    numbers = list(GradingRun.objects.values_list("number", flat=True))
    assert len(numbers) == len(set(numbers)) == 3


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one lock for everything")
def test_applying_holds_no_notebook_while_it_waits_for_the_class(cast: Cast) -> None:
    """Who asks for a regrade locks the class before notebooks: if not all did, three at once could wait in a ring."""
    regrade = regrading.graded_again(cast, 3.0)
    seen = regrade_queries.preview(cast.ines, regrade.uuid).fingerprint

    def apply() -> None:
        try:
            regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=seen, now=NOW, move_class=True)
        finally:
            connection.close()

    applying = threading.Thread(target=apply)
    with transaction.atomic():
        Class.objects.select_for_update(no_key=True).get(pk=cast.klass.pk)
        applying.start()
        _wait_until_somebody_waits()
        Submission.objects.select_for_update(no_key=True, nowait=True).get()
    applying.join()
    assert score(cast) == 3.0


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one lock for everything")
def test_a_student_hands_in_while_the_class_is_moved(cast: Cast) -> None:
    version = regrading.another_version()
    with transaction.atomic():
        catalog.use_version(actor=cast.ines, klass=cast.klass, version=version, now=NOW)
        [submitted] = at_once(lambda: _impatient(lambda: factories.submit(cast.sam, cast.klass)))
    assert isinstance(submitted, Submission)


def _impatient(work: Callable[[], Submission]) -> Submission:
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '10s'")
    return work()


def _wait_until_somebody_waits() -> None:
    waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees what it saw first
            cursor.execute(waits)
            if cursor.fetchone() != (0,):
                return
        time.sleep(0.02)
    raise AssertionError("Nobody waits for a lock.")


def test_a_trials_report_and_discarding_leave_a_queue_that_counts_right(cast: Cast) -> None:
    for _ in range(4):
        regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    claimed = factories.claim()
    recorded, discarded, _ = at_once(
        lambda: factories.record(claimed),
        lambda: regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW),
        lambda: actions.claim_next(worker="another", now=NOW) and None,
    )
    assert discarded is None
    assert recorded is None or isinstance(recorded, actions.LostLease)
    assert not GradingRun.objects.filter(state__in=(RunState.QUEUED, RunState.RUNNING)).exists()
    assert set(Lane.objects.values_list("waiting", flat=True)) == {0}
    assert set(GradingRun.objects.filter(trial=False).values_list("score", flat=True)) == {2.0}


def test_what_failed_is_restarted_once_by_two_at_once(cast: Cast) -> None:
    for student in (cast.sam, cast.cleo):
        factories.submit(student, cast.klass)
    for _ in range(2):
        factories.fail_one()

    def restart_all() -> int:
        return actions.restart_all_failed(actor=cast.ines, klass=cast.klass, lab_slug=None, now=NOW)

    results = at_once(*[restart_all] * 4)
    assert [result for result in results if not isinstance(result, Conflict)] == [2]
    assert GradingRun.objects.filter(state=RunState.QUEUED).count() == 2
