from __future__ import annotations

from datetime import date

from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from graders.report import QuestionResult
from server.domain.core import clock
from tests import factories, regrading
from tests.factories import LAB, Cast
from tests.web.visits import browser, graded, hand_in, text_of, who_gets_what


def lab_page(cast: Cast) -> str:
    return text_of(browser(cast.sam).get(reverse("web:lab", args=[cast.klass.uuid, LAB])))


def test_it_is_for_members(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 200, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:lab", cast.klass.uuid, LAB) == expected


def test_an_unknown_lab_is_not_found(cast: Cast) -> None:
    assert browser(cast.sam).get(reverse("web:lab", args=[cast.klass.uuid, "nothing"])).status_code == 404


def test_it_shows_the_instructions_as_they_were_published(cast: Cast) -> None:
    body = browser(cast.sam).get(reverse("web:lab", args=[cast.klass.uuid, LAB])).content.decode()
    assert "<p>Double it.</p>" in body


def test_the_best_attempt_has_the_greatest_part_of_its_maximum(cast: Cast) -> None:
    graded(cast, 3.0)
    hand_in(cast)
    larger = regrading.with_question(factories.report(3.0), QuestionResult("q3", 0.5, 2.0, ()))
    factories.grade_one(larger, now=clock.now())
    body = lab_page(cast)
    assert "3 of 3 best" in body
    assert "3.5 of 5 best" not in body


def test_it_lists_my_attempts_the_latest_first_and_marks_the_best(cast: Cast) -> None:
    graded(cast, 2.0)
    graded(cast, 1.5)
    hand_in(cast)
    body = lab_page(cast)
    third, second, first = (body.index(f"Attempt {number}") for number in (3, 2, 1))
    assert third < second < first
    assert "In the queue" in body[third:second]
    assert "1.5 of 3" in body[second:first]
    assert "2 of 3 best" in body[first:]


def test_it_shows_no_attempts_of_others(cast: Cast) -> None:
    factories.submit(cast.cleo, cast.klass)
    assert "None yet." in lab_page(cast)


def test_every_visit_gets_a_form_of_its_own(cast: Cast) -> None:
    sam = browser(cast.sam)
    url = reverse("web:lab", args=[cast.klass.uuid, LAB])
    keys = {sam.get(url).context["page"].form_key for _ in range(2)}
    assert len(keys) == 2


def test_it_says_why_a_class_takes_nothing_now(cast: Cast) -> None:
    klass = factories.klass(cast.version, "Last year", starts_on=date(2025, 1, 1), ends_on=date(2025, 6, 30))
    student = factories.student_of(klass, "Newcomer")
    body = text_of(browser(student).get(reverse("web:lab", args=[klass.uuid, LAB])))
    assert "This class closed on June 30, 2025" in body


def test_its_queries_do_not_grow_with_attempts(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    sam = browser(cast.sam)
    for _ in range(5):
        graded(cast)
    with django_assert_num_queries(6):  # session, user, class, role, submissions, their runs
        sam.get(reverse("web:lab", args=[cast.klass.uuid, LAB]))
