from __future__ import annotations

from uuid import uuid4

from django.urls import reverse

from server.domain.core import clock
from tests import factories
from tests.factories import Cast
from tests.web.visits import browser, graded, hand_in, text_of, who_gets_what


def test_it_is_for_the_student_and_the_staff(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:run", hand_in(cast).uuid) == expected


def test_an_unknown_submission_looks_like_anothers(cast: Cast) -> None:
    assert browser(cast.sam).get(reverse("web:run", args=[uuid4()])).status_code == 404


def test_it_tells_the_place_in_the_queue(cast: Cast) -> None:
    factories.submit(cast.cleo, cast.klass, now=clock.now())
    body = text_of(browser(cast.sam).get(reverse("web:run", args=[hand_in(cast).uuid])))
    assert "In the queue 1 notebook before yours." in body
    assert "Place in the queue 2" in body


def test_it_leads_to_the_report_once_there_is_one(cast: Cast) -> None:
    submission = graded(cast)
    response = browser(cast.sam).get(reverse("web:run", args=[submission.uuid]))
    assert response.headers["Location"] == reverse("web:report", args=[submission.uuid])


def test_without_javascript_it_looks_again_by_itself(cast: Cast) -> None:
    body = browser(cast.sam).get(reverse("web:run", args=[hand_in(cast).uuid])).content.decode()
    assert '<noscript><meta http-equiv="refresh"' in body


def test_a_failure_of_ours_is_called_ours_and_names_no_cause_to_students(cast: Cast) -> None:
    submission = hand_in(cast)
    factories.fail_one(now=clock.now())
    body = text_of(browser(cast.sam).get(reverse("web:run", args=[submission.uuid])))
    assert "This notebook could not be graded, and that is our fault" in body
    assert "The disk is full." not in body
    assert "Grade it again" not in body


def test_staff_are_told_the_cause_and_instructors_can_restart(cast: Cast) -> None:
    submission = hand_in(cast)
    factories.fail_one(now=clock.now())
    ines, tom = (
        text_of(browser(user).get(reverse("web:run", args=[submission.uuid]))) for user in (cast.ines, cast.tom)
    )
    assert "The disk is full." in ines
    assert "The disk is full." in tom
    assert "Grade it again" in ines
    assert "Grade it again" not in tom


def test_it_is_not_kept_by_the_browser(cast: Cast) -> None:
    response = browser(cast.sam).get(reverse("web:run", args=[hand_in(cast).uuid]))
    assert "no-store" in response.headers["Cache-Control"]
