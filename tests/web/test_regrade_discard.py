from __future__ import annotations

from django.urls import reverse

from server.domain.labs.models import Regrade
from tests import regrading
from tests.factories import Cast
from tests.web.visits import browser, text_of, who_gets_what


def test_it_is_for_instructors(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    statuses = who_gets_what(cast, "web:regrade-discard", regrade.uuid, method="post")
    assert statuses == {"ines": 302, "tom": 403, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}


def test_it_says_that_no_score_has_changed(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    response = browser(cast.ines).post(reverse("web:regrade-discard", args=[regrade.uuid]), follow=True)
    assert "Discarded: no score has changed." in text_of(response)


def test_nothing_is_discarded_by_looking(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    browser(cast.ines).get(reverse("web:regrade-discard", args=[regrade.uuid]))
    assert Regrade.objects.get().state == "open"


def test_what_is_closed_says_so(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    regrading.apply(cast, regrade)
    response = browser(cast.ines).post(reverse("web:regrade-discard", args=[regrade.uuid]), follow=True)
    assert "This regrade was applied already by Ines." in text_of(response)
