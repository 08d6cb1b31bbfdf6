from __future__ import annotations

from django.urls import reverse

from server.domain.core import clock
from server.domain.labs import queries
from tests import factories
from tests.factories import Cast
from tests.web.visits import browser, graded, hand_in, text_of, who_gets_what


def test_it_is_for_instructors(cast: Cast) -> None:
    submission = hand_in(cast)
    factories.fail_one(now=clock.now())
    statuses = who_gets_what(cast, "web:run-restart", submission.uuid, method="post")
    assert statuses == {"ines": 302, "tom": 403, "sam": 403, "cleo": 404, "eve": 404, "nobody": 302}


def test_who_comes_back_from_signing_in_finds_the_run_as_it_was(cast: Cast) -> None:
    submission = hand_in(cast)
    factories.fail_one(now=clock.now())
    response = browser(cast.ines).get(reverse("web:run-restart", args=[submission.uuid]))
    assert response.headers["Location"] == reverse("web:run", args=[submission.uuid])
    assert queries.run_status(cast.sam, submission.uuid, now=clock.now()).state == "failed"


def test_it_queues_the_notebook_again(cast: Cast) -> None:
    submission = hand_in(cast)
    factories.fail_one(now=clock.now())
    browser(cast.ines).post(reverse("web:run-restart", args=[submission.uuid]))
    assert queries.run_status(cast.sam, submission.uuid, now=clock.now()).state == "queued"


def test_it_explains_why_there_is_nothing_to_do(cast: Cast) -> None:
    submission = hand_in(cast)
    response = browser(cast.ines).post(reverse("web:run-restart", args=[submission.uuid]), follow=True)
    assert "Grading has not failed, so there is nothing to restart." in text_of(response)


def test_it_explains_so_on_the_report_too(cast: Cast) -> None:
    response = browser(cast.ines).post(reverse("web:run-restart", args=[graded(cast).uuid]), follow=True)
    assert "Grading has not failed, so there is nothing to restart." in text_of(response)
