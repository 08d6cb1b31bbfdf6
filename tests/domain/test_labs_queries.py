from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from graders.report import QuestionResult
from server.domain.accounts.models import User
from server.domain.core import blobs
from server.domain.core.errors import NotFound
from server.domain.labs import actions, queries
from server.domain.labs.models import RunKind, RunState, Submission
from tests import factories, regrading
from tests.factories import LAB, NOW, Cast, claim, grade_one, notebook, record, report, submit

Look = Callable[[User, UUID], Any]

LOOKS: dict[str, Look] = {
    "submission_for": queries.submission_for,
    "run_status": lambda user, uuid: queries.run_status(user, uuid, now=NOW),
    "report_for": queries.report_for,
    "rendered_notebook": queries.rendered_notebook,
    "executed_notebook": queries.executed_notebook,
    "submitted_notebook": queries.submitted_notebook,
}


@pytest.fixture
def graded(cast: Cast) -> Submission:
    """Sam's, with a report and a rendered copy; the hidden test of q1 failed."""
    submission = submit(cast.sam, cast.klass)
    claimed = claim()
    record(claimed, report(1.0))
    actions.record_rendering(run=claimed.run, html_sha=blobs.put(b"<p>Sam's</p>"), now=NOW)
    return submission


class TestAccess:
    @pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
    @pytest.mark.parametrize("who", ["sam", "ines", "tom"])
    def test_the_student_and_staff_see_it(self, cast: Cast, graded: Submission, look: Look, who: str) -> None:
        assert look(getattr(cast, who), graded.uuid)

    @pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
    @pytest.mark.parametrize("who", ["cleo", "eve"])
    def test_for_others_it_is_not_there(self, cast: Cast, graded: Submission, look: Look, who: str) -> None:
        with pytest.raises(NotFound) as hidden:
            look(getattr(cast, who), graded.uuid)
        with pytest.raises(NotFound) as missing:
            look(getattr(cast, who), uuid4())
        assert str(hidden.value) == str(missing.value)

    @pytest.mark.parametrize("who", ["ines", "tom"])
    def test_staff_see_the_classs_submissions(self, cast: Cast, graded: Submission, who: str) -> None:
        page = queries.class_submissions(getattr(cast, who), cast.klass)
        assert [row.uuid for row in page.rows] == [graded.uuid]

    @pytest.mark.parametrize("who", ["sam", "cleo", "eve"])
    def test_others_do_not(self, cast: Cast, graded: Submission, who: str) -> None:
        with pytest.raises(NotFound):
            queries.class_submissions(getattr(cast, who), cast.klass)

    def test_a_list_of_ones_own_holds_nobody_elses(self, cast: Cast, graded: Submission) -> None:
        assert queries.my_submissions(cast.cleo, cast.klass, LAB) == []

    def test_a_student_who_left_has_no_list(self, cast: Cast, graded: Submission) -> None:
        cast.klass.memberships.filter(user=cast.sam).delete()
        assert queries.my_submissions(cast.sam, cast.klass, LAB) == []

    def test_staff_of_one_class_are_nobody_in_another(self, cast: Cast) -> None:
        submission = submit(cast.eve, cast.other_class)
        with pytest.raises(NotFound):
            queries.submission_for(cast.ines, submission.uuid)

    def test_a_student_who_left_the_class_sees_nothing_of_it(self, cast: Cast, graded: Submission) -> None:
        cast.klass.memberships.filter(user=cast.sam).delete()
        with pytest.raises(NotFound):
            queries.report_for(cast.sam, graded.uuid)


class TestReports:
    def test_a_student_does_not_learn_a_hidden_tests_name(self, cast: Cast, graded: Submission) -> None:
        seen = queries.report_for(cast.sam, graded.uuid)
        assert seen is not None
        assert b"test_fresh_numbers" not in seen.report.to_json()

    @pytest.mark.parametrize("who", ["ines", "tom"])
    def test_staff_do(self, cast: Cast, graded: Submission, who: str) -> None:
        seen = queries.report_for(getattr(cast, who), graded.uuid)
        assert seen is not None
        assert seen.report == report(1.0)

    def test_there_is_none_before_grading(self, cast: Cast) -> None:
        assert queries.report_for(cast.sam, submit(cast.sam, cast.klass).uuid) is None

    def test_it_says_when_a_newer_run_failed(self, cast: Cast, graded: Submission) -> None:
        actions.regrade(actor=cast.ines, submission=graded.uuid, now=NOW)
        factories.fail_one()
        seen = queries.report_for(cast.sam, graded.uuid)
        assert seen is not None
        assert (seen.report.score, seen.newer_run_failed) == (1.0, True)

    def test_the_file_comes_back_as_it_was(self, cast: Cast, graded: Submission) -> None:
        assert queries.submitted_notebook(cast.tom, graded.uuid) == ("doubling.ipynb", notebook())

    def test_the_rendered_copy_may_come_later(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        grade_one()
        seen = queries.report_for(cast.sam, submission.uuid)
        assert seen is not None
        assert not seen.has_rendering
        assert queries.rendered_notebook(cast.sam, submission.uuid) is None


class TestRows:
    def test_attempts_are_counted_per_student_and_lab(self, cast: Cast) -> None:
        for minute, who in enumerate([cast.sam, cast.cleo, cast.sam]):
            submit(who, cast.klass, now=NOW + timedelta(minutes=minute))
        page = queries.class_submissions(cast.ines, cast.klass)
        assert [(row.user_name, row.attempt) for row in page.rows] == [("Sam", 2), ("Cleo", 1), ("Sam", 1)]

    def test_a_students_list_agrees_with_the_classs(self, cast: Cast) -> None:
        for minute in range(3):
            submit(cast.sam, cast.klass, now=NOW + timedelta(minutes=minute))
        rows = queries.my_submissions(cast.sam, cast.klass, LAB)
        assert rows == queries.class_submissions(cast.ines, cast.klass).rows
        assert rows == [queries.submission_for(cast.sam, row.uuid).row for row in rows]

    def test_pages_are_cut(self, cast: Cast) -> None:
        for minute in range(3):
            submit(cast.sam, cast.klass, now=NOW + timedelta(minutes=minute))
        page = queries.class_submissions(cast.ines, cast.klass, page=2, per_page=2)
        assert ([row.attempt for row in page.rows], page.number, page.pages, page.total) == ([1], 2, 2, 3)

    @pytest.mark.parametrize(("asked", "given"), [(0, 1), (-3, 1), (99, 1)])
    def test_a_page_that_is_not_there_is_the_nearest(self, cast: Cast, asked: int, given: int) -> None:
        assert queries.class_submissions(cast.ines, cast.klass, page=asked).number == given

    def test_another_labs_are_left_out(self, cast: Cast, graded: Submission) -> None:
        assert queries.class_submissions(cast.ines, cast.klass, lab_slug="tripling").rows == []

    @pytest.mark.parametrize(
        ("who", "own", "staff", "restart"),
        [("sam", True, False, False), ("tom", False, True, False), ("ines", False, True, True)],
    )
    def test_a_page_knows_who_looks(
        self, cast: Cast, graded: Submission, who: str, own: bool, staff: bool, restart: bool
    ) -> None:
        detail = queries.submission_for(getattr(cast, who), graded.uuid)
        assert (detail.is_own, detail.seen_as_staff, detail.may_restart) == (own, staff, restart)


class TestStandings:
    def test_the_best_is_the_greatest_part_of_its_maximum(self, cast: Cast) -> None:
        """Two versions of a lab may give different points: all of 3 is better than 3.5 of 5."""
        submit(cast.sam, cast.klass)
        grade_one(report(3.0))
        larger = regrading.with_question(report(3.0), QuestionResult("q3", 0.5, 2.0, ()))
        submit(cast.sam, cast.klass)
        grade_one(larger)
        standing = queries.standings(cast.sam, cast.klass)[LAB]
        assert (standing.best, standing.best_of) == (3.0, 3.0)

    def test_the_best_score_stands_whatever_came_later(self, cast: Cast) -> None:
        for minute, points in enumerate([1.0, 3.0, 2.0]):
            submit(cast.sam, cast.klass, now=NOW + timedelta(minutes=minute))
            grade_one(report(points), now=NOW + timedelta(minutes=minute))
        assert queries.standings(cast.sam, cast.klass) == {LAB: queries.Standing(3.0, 3.0, RunState.DONE, 3)}

    def test_the_state_is_the_latest_submissions(self, cast: Cast, graded: Submission) -> None:
        submit(cast.sam, cast.klass, now=NOW + timedelta(minutes=1))
        assert queries.standings(cast.sam, cast.klass) == {LAB: queries.Standing(1.0, 3.0, RunState.QUEUED, 2)}

    def test_classmates_do_not_count(self, cast: Cast, graded: Submission) -> None:
        assert queries.standings(cast.cleo, cast.klass) == {}

    def test_a_list_can_be_cut_to_a_state(self, cast: Cast, graded: Submission) -> None:
        waiting = submit(cast.cleo, cast.klass)
        page = queries.class_submissions(cast.ines, cast.klass, state=RunState.QUEUED)
        assert ([row.uuid for row in page.rows], page.total) == ([waiting.uuid], 1)


class TestStatus:
    def test_places_follow_the_fair_order(self, cast: Cast) -> None:
        first = submit(cast.sam, cast.klass)
        second = submit(cast.sam, cast.klass, now=NOW + timedelta(seconds=1))
        classmates = submit(cast.cleo, cast.klass, now=NOW + timedelta(seconds=2))

        def place(submission: Submission) -> int | None:
            return queries.run_status(cast.ines, submission.uuid, now=NOW).place

        assert [place(first), place(classmates), place(second)] == [1, 2, 3]

    def test_a_running_run_has_no_place_but_a_clock(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        claim(now=NOW + timedelta(seconds=5))
        status = queries.run_status(cast.sam, submission.uuid, now=NOW + timedelta(seconds=12))
        assert (status.state, status.place, status.waited_s, status.elapsed_s) == (RunState.RUNNING, None, 5, 7)

    def test_the_clock_stops_with_the_report(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        record(claim(), now=NOW + timedelta(seconds=9))
        status = queries.run_status(cast.sam, submission.uuid, now=NOW + timedelta(hours=1))
        assert (status.state, status.elapsed_s) == (RunState.DONE, 9)

    def test_a_worker_whose_clock_is_slow_gives_no_negative_time(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        claim(now=NOW)
        status = queries.run_status(cast.sam, submission.uuid, now=NOW - timedelta(seconds=3))
        assert status.elapsed_s == 0

    def test_the_newest_run_is_watched(self, cast: Cast, graded: Submission) -> None:
        actions.regrade(actor=cast.ines, submission=graded.uuid, now=NOW)
        status = queries.run_status(cast.sam, graded.uuid, now=NOW)
        assert (status.state, status.kind) == (RunState.QUEUED, RunKind.REGRADE)

    @pytest.mark.parametrize(("who", "sees"), [("sam", ""), ("tom", "The disk is full.")])
    def test_only_staff_see_our_fault(self, cast: Cast, who: str, sees: str) -> None:
        submission = submit(cast.sam, cast.klass)
        factories.fail_one()
        assert queries.run_status(getattr(cast, who), submission.uuid, now=NOW).fault == sees


class TestNumberOfQueries:
    @pytest.fixture
    def many(self, cast: Cast) -> Submission:
        for number in range(8):
            submission = submit(cast.sam if number % 2 else cast.cleo, cast.klass)
            grade_one()
        return submission

    def test_a_students_list_takes_three(
        self, cast: Cast, many: Submission, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(3):
            queries.my_submissions(cast.sam, cast.klass, LAB)

    def test_a_classs_list_takes_five(
        self, cast: Cast, many: Submission, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(5):
            queries.class_submissions(cast.ines, cast.klass)

    def test_a_submission_takes_four(
        self, cast: Cast, many: Submission, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(4):
            queries.submission_for(cast.ines, many.uuid)

    def test_a_report_takes_four(
        self, cast: Cast, many: Submission, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(4):
            queries.report_for(cast.ines, many.uuid)

    def test_polling_a_waiting_run_takes_eight(
        self, cast: Cast, many: Submission, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        waiting = submit(cast.sam, cast.klass)
        with django_assert_num_queries(8):
            queries.run_status(cast.sam, waiting.uuid, now=NOW)

    def test_polling_a_running_run_takes_three(
        self, cast: Cast, many: Submission, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        running = submit(cast.sam, cast.klass)
        claim()
        with django_assert_num_queries(3):
            queries.run_status(cast.sam, running.uuid, now=NOW)

    def test_what_is_likely_to_be_graded_next_takes_two(
        self, cast: Cast, many: Submission, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(2):
            queries.latest_bundles(2)


class TestWhatIsLikelyToBeGradedNext:
    @pytest.fixture
    def two_labs(self, cast: Cast) -> list[str]:
        """Handed in twice each, the first of them last."""
        course = factories.klass(factories.publish("second"))
        otto = factories.student_of(course, "Otto")
        for _ in range(2):
            submit(cast.sam, cast.klass)
            submit(otto, course, content=notebook(lab=f"second/{LAB}"))
        return [f"second/{LAB}", factories.LAB_ID]

    def test_the_lab_that_was_handed_in_last_comes_first_and_once(self, two_labs: list[str]) -> None:
        assert [bundle.lab for bundle in queries.latest_bundles(5)] == two_labs

    def test_it_is_no_more_labs_than_wanted(self, two_labs: list[str]) -> None:
        assert [bundle.lab for bundle in queries.latest_bundles(1)] == two_labs[:1]

    def test_before_anything_was_handed_in_it_is_none(self, cast: Cast) -> None:
        assert queries.latest_bundles(2) == []
