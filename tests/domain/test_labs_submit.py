from __future__ import annotations

import hashlib
import json
from datetime import date, timedelta

import pytest

from graders.notebook.intake import Refused
from server.domain.catalog import actions as catalog
from server.domain.core import blobs
from server.domain.core.errors import NotFound
from server.domain.core.models import AuditEvent
from server.domain.labs import actions, rules
from server.domain.labs.models import GradingRun, RunState, Submission
from tests import factories
from tests.factories import LAB, LAB_ID, NOW, Cast, notebook, submit


def _nothing_was_kept() -> bool:
    return not Submission.objects.exists() and not GradingRun.objects.exists()


def test_it_keeps_the_file_as_it_came(cast: Cast) -> None:
    submission = submit(cast.sam, cast.klass)
    assert blobs.get(submission.raw_sha) == notebook()
    assert submission.raw_sha == hashlib.sha256(notebook()).hexdigest()


def test_it_keeps_a_normalized_notebook_for_the_grader(cast: Cast) -> None:
    submission = submit(cast.sam, cast.klass)
    assert json.loads(blobs.get(submission.notebook_sha))["nbformat"] == 4


def test_it_queues_one_run(cast: Cast) -> None:
    run = submit(cast.sam, cast.klass).runs.get()
    assert (run.number, run.state, run.queued_at, run.tries) == (1, RunState.QUEUED, NOW, 0)


def test_it_pins_the_version(cast: Cast) -> None:
    submission = submit(cast.sam, cast.klass)
    catalog.use_version(actor=None, klass=cast.klass, version=factories.publish(summary="Changed."), now=NOW)
    submission.refresh_from_db()
    assert submission.version == cast.version


def test_it_is_in_the_trail(cast: Cast) -> None:
    submission = submit(cast.sam, cast.klass)
    event = AuditEvent.objects.get(verb="labs.submitted")
    assert (event.actor, event.target_id, event.data["lab"]) == (cast.sam, submission.uuid, LAB_ID)


def test_the_same_key_is_the_same_submission(cast: Cast) -> None:
    first = submit(cast.sam, cast.klass, key="once")
    assert submit(cast.sam, cast.klass, key="once") == first
    assert GradingRun.objects.count() == 1


def test_two_students_may_use_the_same_key(cast: Cast) -> None:
    assert submit(cast.sam, cast.klass, key="once") != submit(cast.cleo, cast.klass, key="once")


@pytest.mark.parametrize("content", [b"", b"not a notebook", b"PK\x03\x04 a zip", b"print('a .py')\n"])
def test_what_is_no_notebook_is_refused_and_not_kept(cast: Cast, content: bytes) -> None:
    with pytest.raises(Refused):
        submit(cast.sam, cast.klass, content=content)
    assert _nothing_was_kept()


def test_another_labs_notebook_is_refused_naming_both(cast: Cast) -> None:
    with pytest.raises(Refused, match=f"other/lab.*{LAB_ID}"):
        submit(cast.sam, cast.klass, content=notebook(lab="other/lab"))
    assert _nothing_was_kept()


def test_the_labs_own_limit_of_size_holds(cast: Cast) -> None:
    with pytest.raises(Refused, match="at most"):
        submit(cast.sam, cast.klass, content=notebook({"q1": "#" * 21 * 1024**2}))


@pytest.mark.parametrize("who", ["ines", "tom", "sam"])
def test_every_member_may_hand_in(cast: Cast, who: str) -> None:
    assert submit(getattr(cast, who), cast.klass).runs.count() == 1


def test_an_outsider_may_not(cast: Cast) -> None:
    with pytest.raises(NotFound):
        submit(cast.eve, cast.klass)


def test_a_lab_that_the_class_lacks_is_not_found(cast: Cast) -> None:
    with pytest.raises(NotFound):
        actions.submit_notebook(
            actor=cast.sam,
            klass=cast.klass,
            lab_slug="tripling",
            filename="a.ipynb",
            content=notebook(),
            idempotency_key="k",
            now=NOW,
        )


@pytest.mark.parametrize("key", ["", "k" * 65, "a\0b"])
def test_a_key_that_no_form_makes_is_refused(cast: Cast, key: str) -> None:
    with pytest.raises(actions.NotAccepted, match="load the page again"):
        actions.submit_notebook(
            actor=cast.sam,
            klass=cast.klass,
            lab_slug=LAB,
            filename="a.ipynb",
            content=notebook(),
            idempotency_key=key,
            now=NOW,
        )


def test_attempts_are_numbered_per_student(cast: Cast) -> None:
    attempts = [submit(who, cast.klass).attempt for who in (cast.sam, cast.cleo, cast.sam)]
    assert attempts == [1, 1, 2]


def test_logs_hold_nothing_that_the_student_wrote(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", logger="server"):
        submit(cast.sam, cast.klass)
        factories.grade_one()
    assert "labs.submitted" in caplog.text
    assert not [word for word in ("doubling.ipynb", "return 2", "Sam", "sam") if word in caplog.text]


class TestDates:
    @pytest.fixture
    def closed(self, cast: Cast) -> Cast:
        cast.klass.starts_on, cast.klass.ends_on = date(2026, 9, 1), date(2026, 9, 14)
        return cast

    def test_a_student_can_not_hand_in_after_the_end(self, closed: Cast) -> None:
        with pytest.raises(actions.NotAccepted, match="closed on September 14, 2026"):
            submit(closed.sam, closed.klass)

    def test_staff_can_try_a_lab_at_any_time(self, closed: Cast) -> None:
        assert submit(closed.tom, closed.klass).pk

    def test_a_repeated_click_finds_what_was_handed_in_in_time(self, closed: Cast) -> None:
        first = submit(closed.sam, closed.klass, key="last", now=NOW - timedelta(days=2))
        assert submit(closed.sam, closed.klass, key="last") == first


class TestWaiting:
    def test_there_is_a_limit(self, cast: Cast) -> None:
        for _ in range(rules.MAX_WAITING):
            submit(cast.sam, cast.klass)
        with pytest.raises(actions.NotAccepted, match="wait for a report"):
            submit(cast.sam, cast.klass)

    def test_it_is_each_students_own(self, cast: Cast) -> None:
        for _ in range(rules.MAX_WAITING):
            submit(cast.sam, cast.klass)
        assert submit(cast.cleo, cast.klass).pk

    def test_a_report_makes_room(self, cast: Cast) -> None:
        for _ in range(rules.MAX_WAITING):
            submit(cast.sam, cast.klass)
        factories.grade_one()
        assert submit(cast.sam, cast.klass).pk

    def test_a_repeated_click_is_not_refused_by_it(self, cast: Cast) -> None:
        submissions = [submit(cast.sam, cast.klass, key=f"k{n}") for n in range(rules.MAX_WAITING)]
        assert submit(cast.sam, cast.klass, key="k0") == submissions[0]


def test_the_lab_slug_is_the_versions(cast: Cast) -> None:
    assert submit(cast.sam, cast.klass).lab_slug == LAB


@pytest.mark.django_db(transaction=True)
def test_it_succeeds_without_a_broker(cast: Cast) -> None:
    assert submit(cast.sam, cast.klass).runs.get().state == RunState.QUEUED
