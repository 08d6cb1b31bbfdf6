from __future__ import annotations

from django.urls import reverse

from server.domain.labs import actions, queries, regrade_queries
from server.domain.labs.models import Regrade
from tests import factories, regrading
from tests.factories import LAB, NOW, Cast
from tests.web.visits import browser, text_of, who_gets_what


def apply(cast: Cast, regrade: Regrade, seen: str | None = None) -> str:
    seen = seen or regrade_queries.preview(cast.ines, regrade.uuid).fingerprint
    url = reverse("web:regrade-apply", args=[regrade.uuid])
    return text_of(browser(cast.ines).post(url, {"seen": seen}, follow=True))


def scores(cast: Cast) -> list[float | None]:
    return [row.score for row in queries.my_submissions(cast.sam, cast.klass, LAB)]


def test_it_is_for_instructors(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    statuses = who_gets_what(cast, "web:regrade-apply", regrade.uuid, method="post")
    assert statuses == {"ines": 302, "tom": 403, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}


def test_it_applies_what_the_page_showed(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    page = browser(cast.ines).get(reverse("web:regrade", args=[regrade.uuid])).content.decode()
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    assert "Applied: 1 new, 0 kept a higher score, 0 could not be graded." in apply(cast, regrade, seen)
    assert scores(cast) == [3.0]


def test_who_has_seen_something_else_looks_again(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    seen = regrade_queries.preview(cast.ines, regrade.uuid).fingerprint
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    actions.regrade(actor=cast.ines, submission=row.uuid, now=NOW)
    factories.grade_one(factories.report(2.5))
    assert "Something changed since you looked" in apply(cast, regrade, seen)
    assert scores(cast) == [2.5]


def test_the_second_of_two_instructors_hears_of_the_first(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    seen = regrade_queries.preview(cast.ines, regrade.uuid).fingerprint
    apply(cast, regrade, seen)
    assert "This regrade was applied already by Ines." in apply(cast, regrade, seen)


def test_the_class_moves_on_when_that_is_ticked(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    seen = regrade_queries.preview(cast.ines, regrade.uuid).fingerprint
    url = reverse("web:regrade-apply", args=[regrade.uuid])
    browser(cast.ines).post(url, {"seen": seen, "move_class": "on"})
    cast.klass.refresh_from_db()
    assert cast.klass.version == regrade.version


def test_nothing_is_applied_by_looking(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    response = browser(cast.ines).get(reverse("web:regrade-apply", args=[regrade.uuid]))
    assert response.headers["Location"] == reverse("web:regrade", args=[regrade.uuid])
    assert scores(cast) == [2.0]
