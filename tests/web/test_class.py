from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from server.domain.catalog import actions as catalog
from tests import factories
from tests.factories import Cast
from tests.web.visits import browser, graded, hand_in, text_of, who_gets_what


def test_it_is_for_members(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 200, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:class", cast.klass.uuid) == expected


def test_an_unknown_class_looks_like_another_class(cast: Cast) -> None:
    assert browser(cast.sam).get(reverse("web:class", args=[uuid4()])).status_code == 404


def test_it_shows_the_course_by_modules_and_labs(cast: Cast) -> None:
    body = text_of(browser(cast.sam).get(reverse("web:class", args=[cast.klass.uuid])))
    assert "A little course From Jan 1, 2026 One lab, to try the house with." in body
    assert "Doubling Two questions. Lab · about 5 minutes · 3 points Not started" in body


def test_it_says_what_the_course_is_for_and_from(cast: Cast) -> None:
    body = text_of(browser(cast.sam).get(reverse("web:class", args=[cast.klass.uuid])))
    assert "What you will be able to do Double a number." in body
    assert "What you should know Python" in body


def test_it_shows_my_best_score_and_what_my_latest_notebook_is_doing(cast: Cast) -> None:
    graded(cast, 2.0)
    graded(cast, 1.0)
    hand_in(cast)
    body = text_of(browser(cast.sam).get(reverse("web:class", args=[cast.klass.uuid])))
    assert "Best 2 of 3 In the queue" in body


def test_it_shows_nobody_elses_score(cast: Cast) -> None:
    graded(cast)
    assert "Not started" in text_of(browser(cast.cleo).get(reverse("web:class", args=[cast.klass.uuid])))


def test_only_staff_are_led_to_the_submissions(cast: Cast) -> None:
    url = reverse("web:class", args=[cast.klass.uuid])
    link = reverse("web:submissions", args=[cast.klass.uuid])
    shown = [link in browser(user).get(url).content.decode() for user in (cast.ines, cast.tom, cast.sam)]
    assert shown == [True, True, False]


def test_its_queries_do_not_grow_with_attempts(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    sam = browser(cast.sam)
    for _ in range(5):
        graded(cast)
    with django_assert_num_queries(6):  # session, user, class, role, submissions, their runs
        sam.get(reverse("web:class", args=[cast.klass.uuid]))


def test_it_escapes_what_a_course_says(cast: Cast) -> None:
    version = factories.publish(title="<b>Bold</b> claims")
    klass = factories.klass(version, "Spring")
    student = factories.student_of(klass, "Newcomer")
    body = browser(student).get(reverse("web:class", args=[klass.uuid])).content.decode()
    assert "&lt;b&gt;Bold&lt;/b&gt; claims" in body


def test_a_best_score_is_of_the_points_that_it_was_scored_on(cast: Cast) -> None:
    graded(cast, 3.0)
    lab = factories.bundle()
    heavier = replace(lab, questions=(replace(lab.questions[0], points=9.0), lab.questions[1]))
    version = catalog.publish_course(
        actor=None, manifest=factories.manifest(), labs={factories.LAB: heavier}, now=factories.NOW
    )
    catalog.use_version(actor=cast.ines, klass=cast.klass, version=version, now=factories.NOW)
    body = text_of(browser(cast.sam).get(reverse("web:class", args=[cast.klass.uuid])))
    assert "10 points Best 3 of 3" in body
