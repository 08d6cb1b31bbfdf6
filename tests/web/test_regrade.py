from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from graders.bundle import Question
from server.domain.accounts.models import User
from server.domain.labs import actions, regrades
from server.domain.labs.models import GradingRun, Lane, Regrade, RunKind, RunState, Submission
from tests import factories, regrading
from tests.factories import LAB, NOW, Cast
from tests.web.visits import browser, text_of, who_gets_what


def preview(cast: Cast, regrade: Regrade, user: User | None = None, query: str = "") -> str:
    return text_of(browser(user or cast.ines).get(reverse("web:regrade", args=[regrade.uuid]) + query))


def test_it_is_for_the_staff(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    expected = {"ines": 200, "tom": 200, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:regrade", regrade.uuid) == expected


def test_an_unknown_one_is_not_found(cast: Cast) -> None:
    assert browser(cast.ines).get(reverse("web:regrade", args=[uuid4()])).status_code == 404


def test_an_assistant_looks_and_does_not_decide(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    assert "Decide" in preview(cast, regrade)
    seen = preview(cast, regrade, cast.tom)
    assert "Decide" not in seen
    assert "2 of 3 points 3 of 3 points +1 gains" in seen


def test_it_shows_each_score_before_and_after(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0, 1.0, keep_higher=False)
    body = preview(cast, regrade)
    assert "2 of 3 points 3 of 3 points +1 gains" in body
    assert "2 of 3 points 1 of 3 points −1 loses" in body  # noqa: RUF001
    assert "Applying: 1 gains, 1 loses." in body


def test_keep_higher_says_who_keeps(cast: Cast) -> None:
    assert "−1 keeps a higher score" in preview(cast, regrading.graded_again(cast, 1.0))  # noqa: RUF001


def test_it_says_why_a_score_changes(cast: Cast) -> None:
    body = preview(cast, regrading.graded_again(cast, 3.0))
    assert "Give the answer 0 → 1 of 1 test_answer : failed before, passes now" in body


def test_a_notebook_that_ran_to_its_end_only_before_is_marked(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    factories.grade_one(replace(factories.report(1.0), status="partial"))
    assert "This time the notebook did not run to its end." in preview(cast, regrade)


def test_it_names_hidden_tests_to_the_staff_and_marks_them(cast: Cast) -> None:
    body = preview(cast, regrading.graded_again(cast, 1.0))
    assert "test_fresh_numbers hidden from students : passed before, fails now" in body


def test_a_question_that_older_starters_lack_is_explained(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 3.0)
    third = Question("q3", "Give a reason", 1.0, regrading.Q3_TESTS)
    regrade = regrading.ask(cast, regrading.another_version(*regrading.questions(more=[third])))
    factories.grade_one(regrading.with_question(factories.report(3.0), regrading.third_question()))
    body = preview(cast, regrade)
    assert "Some of these notebooks come from a starter without “Give a reason” (1 point)" in body
    assert "The maximum changed" in body
    assert "3 of 3 points 3 of 4 points −25.0% keeps a higher score" in body  # noqa: RUF001
    assert "The starter that this notebook came from does not have this question" in body


def test_a_trial_that_failed_says_why_and_can_be_restarted(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 2.0)
    regrade = regrading.ask(cast)
    factories.fail_one()
    body = preview(cast, regrade)
    assert "not graded The disk is full." in body
    assert "Grade again what failed" in body


def test_while_trials_wait_there_is_nothing_to_apply(cast: Cast) -> None:
    regrading.graded(cast.sam, cast, 2.0)
    body = preview(cast, regrading.ask(cast))
    assert "0 of 1 notebook done" in body
    assert "Apply " not in body


def test_while_the_present_score_is_made_anew_there_is_nothing_to_apply(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    actions.regrade(actor=cast.ines, submission=Submission.objects.get().uuid, now=NOW)
    body = preview(cast, regrade)
    assert "Being graded 1 notebook" in body
    assert "Apply " not in body


def test_it_says_which_tests_new_notebooks_get(cast: Cast) -> None:
    assert "The class follows version 1" in preview(cast, regrading.graded_again(cast, 3.0))


def test_it_offers_to_add_what_came_since(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    regrading.graded(cast.cleo, cast, 2.0)
    assert "1 notebook came in since, graded with other tests" in preview(cast, regrade)


def test_it_counts_students_whose_best_score_moves(cast: Cast) -> None:
    """A worse attempt that rises past the better one moves the best; one that stays below does not."""
    for student, points in ((cast.sam, 3.0), (cast.sam, 1.0), (cast.cleo, 1.0)):
        regrading.graded(student, cast, points)
    regrade = regrading.ask(cast)
    for points in (3.0, 2.0, 2.0):
        factories.grade_one(factories.report(points))
    assert "Students' best scores 1 rise, 0 fall" in preview(cast, regrade)


def test_it_draws_and_lists_how_far_scores_move(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0, 3.0, 1.0)
    body = browser(cast.ines).get(reverse("web:regrade", args=[regrade.uuid])).content.decode()
    assert "Gain 25% to 50% 2" in preview(cast, regrade)
    assert '<rect class="got" width="100.0%"' in body
    assert '<rect class="fell" width="50.0%"' in body


@pytest.mark.parametrize(("query", "found"), [("?show=gains", 1), ("?show=keeps", 2), ("?show=odd&page=x", 3)])
def test_it_filters_by_what_happens(cast: Cast, query: str, found: int) -> None:
    regrade = regrading.graded_again(cast, 3.0, 1.0, 1.0)
    assert preview(cast, regrade, query=query).count("Attempt ") == found


def test_the_greatest_loss_comes_first(cast: Cast) -> None:
    body = preview(cast, regrading.graded_again(cast, 3.0, 1.0, 0.0))
    assert body.index("0 of 3 points −2") < body.index("1 of 3 points −1") < body.index("3 of 3 points +1")  # noqa: RUF001


def test_once_applied_it_shows_what_it_changed(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0, 1.0)
    regrading.apply(cast, regrade)
    body = preview(cast, regrade)
    assert "Applied by Ines" in body
    assert "2 of 3 points 3 of 3 points +1 gains" in body
    assert "Decide" not in body


def test_once_discarded_it_says_so(cast: Cast) -> None:
    regrade = regrading.graded_again(cast, 3.0)
    regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW)
    body = preview(cast, regrade)
    assert "Discarded by Ines" in body
    assert "Decide" not in body


def test_what_a_student_is_called_is_text(cast: Cast) -> None:
    cast.sam.name = "<script>alert(1)</script>"
    cast.sam.save()
    regrade = regrading.graded_again(cast, 3.0)
    assert "<script>alert" not in browser(cast.ines).get(reverse("web:regrade", args=[regrade.uuid])).content.decode()


def many(cast: Cast, count: int) -> Regrade:
    """A regrade with that many graded trials."""
    regrade = regrading.graded_again(cast, 3.0)
    [submission] = Submission.objects.all()
    old, new = GradingRun.objects.order_by("number")
    lane = Lane.objects.get(kind=RunKind.REGRADE)
    submissions = Submission.objects.bulk_create(
        Submission(
            klass=cast.klass,
            version=cast.version,
            lab_slug=LAB,
            user=cast.cleo,
            attempt=number,
            filename="a.ipynb",
            raw_sha=submission.raw_sha,
            notebook_sha=submission.notebook_sha,
            received_at=NOW + timedelta(seconds=number),
            idempotency_key=f"many-{number}",
        )
        for number in range(1, count)
    )
    GradingRun.objects.bulk_create(
        GradingRun(
            submission=each,
            number=run.number,
            version_id=run.version_id,
            regrade=run.regrade,
            trial=run.trial,
            lane=lane,
            turn=1,
            state=RunState.DONE,
            queued_at=NOW,
            not_before=NOW,
            finished_at=NOW,
            report=run.report,
            score=run.score,
            max_score=run.max_score,
        )
        for each in submissions
        for run in (old, new)
    )
    return regrade


def test_its_queries_do_not_grow_with_a_thousand_submissions(cast: Cast) -> None:
    ines = browser(cast.ines)
    few = many(cast, 3)
    with CaptureQueriesContext(
        connection,
    ) as small:
        ines.get(reverse("web:regrade", args=[few.uuid]))
    regrades.discard(actor=cast.ines, regrade=few.uuid, now=NOW)
    GradingRun.objects.all().delete()
    Submission.objects.all().delete()
    regrade = many(cast, 1_000)
    with CaptureQueriesContext(connection) as large:
        response = ines.get(reverse("web:regrade", args=[regrade.uuid]))
    assert "1000 gain" in text_of(response)
    assert "Page 1 of 20" in text_of(response)
    assert len(large) == len(small) <= 9
