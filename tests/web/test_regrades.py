from __future__ import annotations

from uuid import uuid4

from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from server.domain.accounts.models import User
from server.domain.labs import regrades
from tests import regrading
from tests.factories import LAB, NOW, Cast
from tests.web.visits import browser, text_of, who_gets_what


def index(cast: Cast, user: User) -> str:
    return text_of(browser(user).get(reverse("web:regrades", args=[cast.klass.uuid])))


def test_it_is_for_the_staff(cast: Cast) -> None:
    regrading.graded_again(cast, 3.0)
    expected = {"ines": 200, "tom": 200, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:regrades", cast.klass.uuid) == expected


def test_an_instructor_chooses_a_lab(cast: Cast) -> None:
    body = browser(cast.ines).get(reverse("web:regrades", args=[cast.klass.uuid])).content.decode()
    assert reverse("web:regrade-ask", args=[cast.klass.uuid, LAB]) in body


def test_an_assistant_is_not_offered_what_only_instructors_do(cast: Cast) -> None:
    body = browser(cast.tom).get(reverse("web:regrades", args=[cast.klass.uuid])).content.decode()
    assert reverse("web:regrade-ask", args=[cast.klass.uuid, LAB]) not in body


def test_it_lists_regrades_with_their_reasons_the_latest_first(cast: Cast) -> None:
    first = regrading.graded_again(cast, 3.0, reason="The first.")
    regrades.discard(actor=cast.ines, regrade=first.uuid, now=NOW)
    regrading.ask(cast, first.version, reason="The second.")
    body = index(cast, cast.tom)
    assert body.index("The second.") < body.index("The first.")
    assert "Waits for a decision" in body
    assert "Discarded" in body


def test_it_shows_nothing_of_another_class(cast: Cast) -> None:
    regrading.graded_again(cast, 3.0)
    cast.klass.memberships.update(klass=cast.other_class)
    body = text_of(browser(cast.ines).get(reverse("web:regrades", args=[cast.other_class.uuid])))
    assert regrading.REASON not in body


def test_an_unknown_class_is_not_found(cast: Cast) -> None:
    assert browser(cast.ines).get(reverse("web:regrades", args=[uuid4()])).status_code == 404


def test_its_queries_do_not_grow_with_regrades(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    first = regrading.graded_again(cast, 3.0)
    for _ in range(4):
        regrades.discard(actor=cast.ines, regrade=cast.klass.regrades.latest("pk").uuid, now=NOW)
        regrading.ask(cast, first.version)
    ines = browser(cast.ines)
    with django_assert_num_queries(8):  # session, user, class, three of the role; regrades, their versions
        ines.get(reverse("web:regrades", args=[cast.klass.uuid]))
