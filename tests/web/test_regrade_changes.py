from __future__ import annotations

import csv
import io

from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from server.domain.labs.models import Regrade
from tests import factories, regrading
from tests.factories import Cast
from tests.web.visits import browser, who_gets_what


def rows_of(cast: Cast, regrade: Regrade) -> list[dict[str, str]]:
    response = browser(cast.ines).get(reverse("web:regrade-changes", args=[regrade.uuid]))
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))


def test_it_is_for_the_staff(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    expected = {"ines": 200, "tom": 200, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:regrade-changes", regrade.uuid) == expected


def test_it_is_a_file(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    response = browser(cast.ines).get(reverse("web:regrade-changes", args=[regrade.uuid]))
    assert response.headers["Content-Disposition"] == 'attachment; filename="regrade-doubling-2026-09-15.csv"'
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"


def test_it_holds_every_notebook_by_student_and_attempt(cast: Cast) -> None:
    for student in (cast.sam, cast.cleo, cast.sam):
        regrading.graded(student, cast, 2.0)
    regrade = regrading.ask(cast)
    for _ in range(3):
        factories.grade_one(factories.report(3.0))
    rows = rows_of(cast, regrade)
    assert [(row["Username"], row["Attempt"]) for row in rows] == [("cleo", "1"), ("sam", "1"), ("sam", "2")]


def test_scores_are_numbers_and_reasons_words(cast: Cast) -> None:
    [row] = rows_of(cast, regrading.graded_again(cast, 1.0))
    assert (row["Before"], row["After"], row["Change in % of maximum"]) == ("2.0", "1.0", "-33.3333")
    assert row["Effect"] == "keeps a higher score"
    assert "Double a number: 2 → 1 of 2 (test_fresh_numbers: passed before, fails now)" in row["What changed"]


def test_a_name_that_is_a_formula_is_text(cast: Cast) -> None:
    cast.sam.name = '=HYPERLINK("http://evil.example","Sam")'
    cast.sam.save()
    [row] = rows_of(cast, regrading.graded_again(cast, 3.0))
    assert row["Student"].startswith("'=HYPERLINK")


def test_a_failed_trial_has_its_fault_and_no_score(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    factories.fail_one()
    [row] = rows_of(cast, regrade)
    assert (row["After"], row["Fault"]) == ("", "The disk is full.")


def test_its_queries_grow_by_pages_only(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    regrade = regrading.graded_again(cast, *[3.0] * 12)
    ines = browser(cast.ines)
    with django_assert_num_queries(10):  # session, user; facts, role, counts; regrade, role, versions, runs; 12 reports
        ines.get(reverse("web:regrade-changes", args=[regrade.uuid]))
