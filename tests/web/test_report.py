from __future__ import annotations

from dataclasses import replace

from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from graders.report import CellFailure, Cells, Report
from server.domain.accounts.models import User
from server.domain.core import clock
from server.domain.labs import actions as labs
from server.domain.labs.models import Submission
from tests import factories, regrading
from tests.factories import Cast
from tests.web.visits import browser, graded, hand_in, text_of, who_gets_what


def report_page(user: User, submission: Submission) -> str:
    return text_of(browser(user).get(reverse("web:report", args=[submission.uuid])))


def graded_as(cast: Cast, report: Report) -> Submission:
    submission = hand_in(cast)
    factories.grade_one(report, now=clock.now())
    return submission


def test_it_is_for_the_student_and_the_staff(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:report", graded(cast).uuid) == expected


def test_before_there_is_one_it_leads_to_the_run(cast: Cast) -> None:
    submission = hand_in(cast)
    response = browser(cast.sam).get(reverse("web:report", args=[submission.uuid]))
    assert response.headers["Location"] == reverse("web:run", args=[submission.uuid])


def test_after_a_regrade_it_says_why_and_what_the_score_was(cast: Cast) -> None:
    regrading.apply(cast, regrading.graded_again(cast, 3.0))
    body = report_page(cast.sam, Submission.objects.get())
    assert f"The reason: {regrading.REASON} Before, it had 2 of 3 points." in body


def test_a_regrade_that_kept_the_higher_score_is_not_mentioned(cast: Cast) -> None:
    regrading.apply(cast, regrading.graded_again(cast, 1.0))
    assert regrading.REASON not in report_page(cast.sam, Submission.objects.get())


def test_it_shows_the_score_in_all_and_per_question(cast: Cast) -> None:
    body = report_page(cast.sam, graded(cast, 1.5))
    assert "1.5 of 3 points" in body
    assert "Double a number 1.5 of 2" in body
    assert "Give the answer 0 of 1" in body


def test_a_failed_test_says_what_its_author_wrote(cast: Cast) -> None:
    assert "Try double(3)." in report_page(cast.sam, graded(cast, 0.0))


def test_a_student_never_reads_a_hidden_tests_name(cast: Cast) -> None:
    submission = graded(cast, 1.0)
    response = browser(cast.sam).get(reverse("web:report", args=[submission.uuid]))
    assert b"test_fresh_numbers" not in response.content


def test_staff_read_the_report_in_full(cast: Cast) -> None:
    submission = graded(cast, 1.0)
    assert "test_fresh_numbers hidden from students" in report_page(cast.ines, submission)
    assert "test_fresh_numbers hidden from students" in report_page(cast.tom, submission)


def test_it_tells_staff_whose_work_it_is(cast: Cast) -> None:
    assert "Sam: Attempt 1, doubling.ipynb" in report_page(cast.ines, graded(cast))


def test_it_names_the_cell_that_did_not_finish(cast: Cast) -> None:
    failure = CellFailure(3, "q2", "timeout", "TimeLimit", "Cell 3 ran longer than 20 s and was stopped.")
    report = replace(factories.report(2.0), status="partial", cells=Cells(4, 2, (failure,)))
    body = report_page(cast.sam, graded_as(cast, report))
    assert "Code cell 3 q2 Cell 3 ran longer than 20 s and was stopped." in body


def test_it_escapes_what_a_students_cell_said(cast: Cast) -> None:
    failure = CellFailure(1, None, "error", "ValueError", "<script>alert(1)</script>")
    submission = graded_as(cast, replace(factories.report(2.0), cells=Cells(4, 4, (failure,))))
    response = browser(cast.sam).get(reverse("web:report", args=[submission.uuid]))
    assert b"<script>alert" not in response.content


def test_it_passes_on_notes_times_device_versions_and_limits(cast: Cast) -> None:
    report = replace(
        factories.report(),
        notes=("Question q1 has two check cells.",),
        device={"name": "CPU, 2 cores"},
        versions={"python": "3.11"},
        limits={"cell": "20 s"},
    )
    body = report_page(cast.sam, graded_as(cast, report))
    for shown in ("Question q1 has two check cells.", "CPU, 2 cores", "python 3.11", "cell 20 s", "Cells 500 ms"):
        assert shown in body


def test_while_it_is_graded_again_the_old_report_counts(cast: Cast) -> None:
    submission = graded(cast)
    labs.regrade(actor=cast.ines, submission=submission.uuid, now=clock.now())
    assert "This notebook is being graded again." in report_page(cast.sam, submission)


def test_when_grading_again_failed_the_old_report_counts(cast: Cast) -> None:
    submission = graded(cast)
    labs.regrade(actor=cast.ines, submission=submission.uuid, now=clock.now())
    factories.fail_one(now=clock.now())
    assert "Grading this notebook again failed on our side" in report_page(cast.sam, submission)


def test_it_says_so_while_the_notebook_is_not_rendered_yet(cast: Cast) -> None:
    assert "It is still being prepared." in report_page(cast.sam, graded(cast))


def test_its_queries_are_counted(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    sam, url = browser(cast.sam), reverse("web:report", args=[graded(cast).uuid])
    with django_assert_num_queries(10):  # session, user, four of the report, four of the submission
        sam.get(url)
