from __future__ import annotations

import pytest
from django.urls import reverse

from server.domain.labs.models import Regrade
from tests import regrading
from tests.factories import Cast
from tests.web.visits import browser, text_of, who_gets_what


@pytest.fixture
def late(cast: Cast) -> Regrade:
    regrade = regrading.graded_again(cast, 3.0)
    regrading.graded(cast.cleo, cast, 2.0)
    return regrade


def test_it_is_for_instructors(cast: Cast, late: Regrade) -> None:
    statuses = who_gets_what(cast, "web:regrade-add", late.uuid, method="post")
    assert statuses == {"ines": 302, "tom": 403, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}


def test_it_tries_what_came_since(cast: Cast, late: Regrade) -> None:
    response = browser(cast.ines).post(reverse("web:regrade-add", args=[late.uuid]), follow=True)
    assert "Added: 1." in text_of(response)
    assert late.runs.count() == 2


def test_nothing_to_do_is_said(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    response = browser(cast.ines).post(reverse("web:regrade-add", args=[regrade.uuid]), follow=True)
    assert "Nothing was handed in since" in text_of(response)
