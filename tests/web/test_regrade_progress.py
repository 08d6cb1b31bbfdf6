from __future__ import annotations

from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import factories, regrading
from tests.factories import Cast
from tests.web.visits import browser, text_of, who_gets_what

HTMX = {"HX-Request": "true"}


def test_it_is_for_the_staff(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    expected = {"ines": 200, "tom": 200, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:regrade-progress", regrade.uuid) == expected


def test_it_counts_trials_and_asks_again(cast: Cast) -> None:
    for _ in range(3):
        regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    factories.grade_one()
    factories.claim()
    response = browser(cast.ines).get(reverse("web:regrade-progress", args=[regrade.uuid]), headers=HTMX)
    assert "1 of 3 notebooks done, 1 at work." in text_of(response)
    assert b"hx-get" in response.content


def test_a_trial_that_is_tried_again_is_counted_once(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    factories.fail_one()
    browser(cast.ines).post(reverse("web:regrade-try-again", args=[regrade.uuid]))
    response = browser(cast.ines).get(reverse("web:regrade-progress", args=[regrade.uuid]), headers=HTMX)
    assert "0 of 1 notebook done" in text_of(response)


def test_when_all_have_ended_the_page_comes_anew(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    response = browser(cast.ines).get(reverse("web:regrade-progress", args=[regrade.uuid]), headers=HTMX)
    assert response.headers["HX-Refresh"] == "true"


def test_who_opens_it_by_itself_is_led_to_the_page(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    response = browser(cast.ines).get(reverse("web:regrade-progress", args=[regrade.uuid]))
    assert response.headers["Location"] == reverse("web:regrade", args=[regrade.uuid])


def test_polling_takes_five_queries(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for _ in range(5):
        regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    ines = browser(cast.ines)
    with django_assert_num_queries(5):  # session, user; regrade, role, counts
        ines.get(reverse("web:regrade-progress", args=[regrade.uuid]), headers=HTMX)
