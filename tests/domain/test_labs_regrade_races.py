"""Two instructors, a worker and a student at once, each with a connection of their own."""

from __future__ import annotations

import pytest

from server.domain.core.errors import Conflict
from server.domain.core.models import AuditEvent
from server.domain.labs import actions, queries, regrade_queries, regrades
from server.domain.labs.models import GradingRun, Lane, Regrade, RunState
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
