from __future__ import annotations

from datetime import timedelta

import pytest

from server.domain.core.errors import Conflict, Denied, NotFound
from server.domain.core.models import AuditEvent
from server.domain.labs import actions, queries
from server.domain.labs.models import GradingRun, RunKind, RunState
from tests import factories, regrading
from tests.factories import LAB, NOW, Cast, submit

LATER = NOW + timedelta(hours=2)


def restart_all(cast: Cast, who: str = "ines", lab_slug: str | None = LAB) -> int:
    return actions.restart_all_failed(actor=getattr(cast, who), klass=cast.klass, lab_slug=lab_slug, now=LATER)


def states(cast: Cast) -> list[str]:
    return [row.state for row in queries.class_submissions(cast.ines, cast.klass).rows]


@pytest.fixture
def two_failed(cast: Cast) -> None:
    for student in (cast.sam, cast.cleo):
        submit(student, cast.klass)
    for _ in range(2):
        factories.fail_one()


def test_all_that_failed_is_queued_again(cast: Cast, two_failed: None) -> None:
    assert restart_all(cast) == 2
    assert states(cast) == [RunState.QUEUED] * 2
    assert set(GradingRun.objects.filter(state=RunState.QUEUED).values_list("kind", flat=True)) == {RunKind.INTERACTIVE}


def test_what_did_not_fail_is_left_alone(cast: Cast, two_failed: None) -> None:
    waiting = submit(cast.sam, cast.klass)
    regrading.graded(cast.cleo, cast, 2.0, now=LATER + timedelta(days=1))
    restart_all(cast)
    assert waiting.runs.count() == 1


def test_it_keeps_to_one_lab(cast: Cast, two_failed: None) -> None:
    with pytest.raises(Conflict):
        restart_all(cast, lab_slug="tripling")
    assert restart_all(cast, lab_slug=None) == 2


def test_twice_is_once(cast: Cast, two_failed: None) -> None:
    restart_all(cast)
    with pytest.raises(Conflict, match="nothing to restart"):
        restart_all(cast)


def test_a_failed_trial_is_not_its_business(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 2.0)
    regrading.ask(cast)
    factories.fail_one()
    with pytest.raises(Conflict):
        restart_all(cast)


def test_what_the_new_tests_failed_on_is_graded_with_them_again(cast: Cast) -> None:
    regrading.apply(cast, regrading.graded_again(cast, 3.0))
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    actions.regrade(actor=cast.ines, submission=row.uuid, now=NOW)
    factories.fail_one()
    restart_all(cast)
    assert queries.work_of(factories.claim(now=LATER))[0].questions == regrading.questions()


def test_each_is_in_the_trail(cast: Cast, two_failed: None) -> None:
    restart_all(cast)
    assert [event.actor for event in AuditEvent.objects.filter(verb="labs.restarted")] == [cast.ines] * 2


@pytest.mark.parametrize(("who", "error"), [("tom", Denied), ("sam", NotFound), ("eve", NotFound)])
def test_only_an_instructor_does_it(cast: Cast, two_failed: None, who: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        restart_all(cast, who)
    assert states(cast) == [RunState.FAILED] * 2
