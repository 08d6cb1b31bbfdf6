from __future__ import annotations

from pytest_django import DjangoAssertNumQueries

from tests import factories
from tests.factories import Cast
from tests.web.visits import browser, text_of, who_gets_what


def test_it_is_for_whoever_has_an_account(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 200, "eve": 200, "nobody": 302}
    assert who_gets_what(cast, "web:home") == expected


def test_it_lists_my_classes_only(cast: Cast) -> None:
    body = text_of(browser(cast.sam).get("/"))
    assert "Autumn" in body
    assert "Winter" not in body


def test_it_names_my_role_where_i_do_not_study(cast: Cast) -> None:
    assert "Assistant" in text_of(browser(cast.tom).get("/"))


def test_it_says_what_happens_next_to_somebody_without_a_class(cast: Cast) -> None:
    assert "You are not in a class yet." in text_of(browser(factories.user("New")).get("/"))


def test_it_asks_three_queries(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    sam = browser(cast.sam)
    with django_assert_num_queries(3):  # session, user, classes
        sam.get("/")
