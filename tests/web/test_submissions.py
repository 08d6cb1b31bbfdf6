from __future__ import annotations

from uuid import uuid4

from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from server.domain.accounts.models import User
from server.domain.core import clock
from tests import factories
from tests.factories import LAB, Cast
from tests.web.visits import browser, graded, hand_in, text_of, who_gets_what


def list_page(cast: Cast, user: User, query: str = "") -> str:
    return text_of(browser(user).get(reverse("web:submissions", args=[cast.klass.uuid]) + query))


def test_it_is_for_the_staff(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:submissions", cast.klass.uuid) == expected


def test_it_lists_what_the_class_handed_in_the_latest_first(cast: Cast) -> None:
    graded(cast, 2.0)
    factories.submit(cast.cleo, cast.klass, now=clock.now())
    body = list_page(cast, cast.ines)
    assert "2 submissions Cleo Doubling, attempt 1" in body
    assert body.index("Cleo") < body.index("Sam")
    assert "2 of 3 Graded" in body


def test_it_shows_nothing_of_another_class(cast: Cast) -> None:
    factories.submit(cast.eve, cast.other_class)
    assert "Eve" not in list_page(cast, cast.ines)


def test_it_filters_by_state(cast: Cast) -> None:
    graded(cast)
    factories.submit(cast.cleo, cast.klass, now=clock.now())
    assert "1 submission Sam" in list_page(cast, cast.ines, "?state=done")
    assert "1 submission Cleo" in list_page(cast, cast.ines, "?state=queued")


def test_it_filters_by_lab(cast: Cast) -> None:
    graded(cast)
    assert "1 submission Sam" in list_page(cast, cast.ines, f"?lab={LAB}")


def test_an_unknown_filter_is_none(cast: Cast) -> None:
    graded(cast)
    assert "1 submission Sam" in list_page(cast, cast.ines, "?lab=nothing&state=odd&page=x")


def test_it_says_what_to_do_when_nothing_matches(cast: Cast) -> None:
    assert "Nothing matches." in list_page(cast, cast.ines, "?state=failed")


def test_only_instructors_may_grade_again_and_only_what_failed(cast: Cast) -> None:
    hand_in(cast)
    assert "Grade again" not in list_page(cast, cast.ines)
    factories.fail_one(now=clock.now())
    assert "Grade again" in list_page(cast, cast.ines)
    assert "Grade again" not in list_page(cast, cast.tom)


def test_it_says_how_many_could_not_be_graded(cast: Cast) -> None:
    assert "could not be graded" not in list_page(cast, cast.ines)
    hand_in(cast)
    factories.fail_one(now=clock.now())
    assert "1 notebook could not be graded" in list_page(cast, cast.tom)


def test_all_that_failed_is_restarted_at_once_by_instructors_only(cast: Cast) -> None:
    for _ in range(2):
        hand_in(cast)
        factories.fail_one(now=clock.now())
    assert "Grade all 2 again" in list_page(cast, cast.ines, "?state=failed")
    assert "Grade all 2 again" not in list_page(cast, cast.tom, "?state=failed")


def test_its_pages_keep_the_filter(cast: Cast) -> None:
    for _ in range(51):
        graded(cast)
    body = browser(cast.ines).get(reverse("web:submissions", args=[cast.klass.uuid]) + "?state=done").content.decode()
    assert 'href="?lab=&amp;state=done&amp;page=2" rel="next"' in body


def test_its_queries_do_not_grow_with_submissions(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ines = browser(cast.ines)
    for _ in range(5):
        graded(cast)
    with django_assert_num_queries(11):  # session, user, class; three of the role; failed; count, rows, runs, versions
        ines.get(reverse("web:submissions", args=[cast.klass.uuid]))


def test_an_unknown_class_is_not_found(cast: Cast) -> None:
    assert browser(cast.ines).get(reverse("web:submissions", args=[uuid4()])).status_code == 404
