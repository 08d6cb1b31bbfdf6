from __future__ import annotations

import pytest
from django.urls import reverse

from server.domain.labs.models import Regrade, RunState
from tests import factories, regrading
from tests.factories import Cast
from tests.web.visits import browser, text_of, who_gets_what


@pytest.fixture
def failed(cast: Cast) -> Regrade:
    regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    factories.fail_one()
    return regrade


def test_it_is_for_instructors(cast: Cast, failed: Regrade) -> None:
    statuses = who_gets_what(cast, "web:regrade-try-again", failed.uuid, method="post")
    assert statuses == {"ines": 302, "tom": 403, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}


def test_it_queues_what_failed_and_says_how_many(cast: Cast, failed: Regrade) -> None:
    response = browser(cast.ines).post(reverse("web:regrade-try-again", args=[failed.uuid]), follow=True)
    assert "Restarted: 1." in text_of(response)
    assert failed.runs.latest("number").state == RunState.QUEUED


def test_nothing_to_do_is_said(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    response = browser(cast.ines).post(reverse("web:regrade-try-again", args=[regrade.uuid]), follow=True)
    assert "No notebook of this regrade has failed" in text_of(response)
