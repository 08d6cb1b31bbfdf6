from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import Model

from server.domain.catalog import actions as catalog
from server.domain.core.errors import Conflict, Denied, NotFound
from server.domain.core.models import AuditEvent
from server.domain.labs import actions, queries, regrade_queries, regrades
from server.domain.labs.models import GradingRun, Regrade, RegradeState, RunKind, RunState, Submission
from server.domain.labs.regrade_rules import Effect
from tests import factories, regrading
from tests.factories import LAB, NOW, Cast, claim, submit
from tests.regrading import another_version, apply, ask, graded, graded_again

LATER = NOW + timedelta(hours=1)


def score(cast: Cast, submission: Submission) -> float | None:
    return queries.submission_for(cast.sam, submission.uuid).row.score


def only(cast: Cast) -> Submission:
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    return Submission.objects.get(uuid=row.uuid)


def seen(cast: Cast, regrade: Regrade) -> str:
    return regrade_queries.preview(cast.ines, regrade.uuid).fingerprint


def rows_of(model: Model) -> dict[str, object]:
    return {field.attname: getattr(model, field.attname) for field in model._meta.concrete_fields}


class TestAsking:
    def test_every_attempt_that_other_tests_graded_is_tried(self, cast: Cast) -> None:
        tried = {graded(who, cast, 2.0).pk for who in (cast.sam, cast.sam, cast.cleo)}
        regrade = ask(cast)
        assert set(regrade.runs.values_list("submission", flat=True)) == tried

    def test_what_these_tests_graded_already_is_left_alone(self, cast: Cast) -> None:
        old = graded(cast.sam, cast, 2.0)
        version = another_version()
        catalog.use_version(actor=cast.ines, klass=cast.klass, version=version, now=NOW)
        graded(cast.sam, cast, 2.0)
        assert [run.submission for run in ask(cast, version).runs.all()] == [old]

    def test_it_is_tried_too_when_asked_for(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        assert ask(cast, cast.version, also_current=True).runs.count() == 1

    def test_nothing_to_try_is_said(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        with pytest.raises(Conflict, match="nothing would change"):
            ask(cast, cast.version)
        assert not Regrade.objects.exists()

    def test_a_version_whose_tests_are_the_same_changes_nothing(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        with pytest.raises(Conflict, match="nothing would change"):
            ask(cast, factories.publish(summary="Only the words differ."))

    def test_a_notebook_that_could_not_be_graded_is_tried(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        factories.fail_one()
        assert ask(cast).runs.count() == 1

    def test_another_class_is_left_alone(self, cast: Cast) -> None:
        factories.submit(cast.eve, cast.other_class)
        factories.grade_one()
        graded(cast.sam, cast, 2.0)
        assert {run.submission.user for run in ask(cast).runs.all()} == {cast.sam}

    def test_trials_wait_behind_what_students_wait_for(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        ask(cast)
        submit(cast.cleo, cast.klass, now=LATER)
        kinds = [GradingRun.objects.get(uuid=claim(now=LATER).run).kind for _ in range(2)]
        assert kinds == [RunKind.INTERACTIVE, RunKind.REGRADE]

    def test_a_trial_is_graded_with_the_new_tests(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        ask(cast)
        bundle, notebook = queries.work_of(claim())
        assert bundle.questions == regrading.questions()
        assert b"return 2 * x" in notebook

    @pytest.mark.parametrize("reason", ["", " \n\t ", "\0"])
    def test_it_needs_a_reason(self, cast: Cast, reason: str) -> None:
        graded(cast.sam, cast, 2.0)
        with pytest.raises(regrades.Incomplete, match="why"):
            ask(cast, reason=reason)

    def test_the_reason_has_a_limit(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        with pytest.raises(regrades.Incomplete, match="501 characters"):
            ask(cast, reason="x" * 501)

    def test_a_version_of_another_course_is_not_found(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        with pytest.raises(NotFound):
            ask(cast, factories.publish("other"))

    def test_one_is_open_at_a_time(self, cast: Cast) -> None:
        graded_again(cast, 1.0)
        with pytest.raises(Conflict, match="open already"):
            ask(cast)

    @pytest.mark.parametrize(
        ("who", "error"), [("tom", Denied), ("sam", NotFound), ("cleo", NotFound), ("eve", NotFound)]
    )
    def test_only_an_instructor_asks(self, cast: Cast, who: str, error: type[Exception]) -> None:
        graded(cast.sam, cast, 2.0)
        with pytest.raises(error):
            ask(cast, actor=getattr(cast, who))

    def test_it_is_in_the_trail_with_its_reason(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        regrade = ask(cast)
        event = AuditEvent.objects.get(verb="labs.regrade-opened")
        assert (event.target_id, event.actor, event.data["reason"]) == (regrade.uuid, cast.ines, regrading.REASON)


class TestWhileItIsOpen:
    @pytest.mark.parametrize("how", ["waiting", "running", "done", "failed"])
    def test_a_student_sees_nothing_of_a_trial(self, cast: Cast, how: str) -> None:
        submission = graded(cast.sam, cast, 2.0)

        def sees() -> tuple[object, ...]:
            status = queries.run_status(cast.sam, submission.uuid, now=LATER)
            return (
                queries.my_submissions(cast.sam, cast.klass, LAB),
                queries.standings(cast.sam, cast.klass),
                queries.report_for(cast.sam, submission.uuid),
                queries.executed_notebook(cast.sam, submission.uuid),
                queries.rendered_notebook(cast.sam, submission.uuid),
                status,
            )

        before = sees()
        ask(cast)
        if how == "running":
            claim()
        elif how == "done":
            factories.grade_one(factories.report(3.0))
        elif how == "failed":
            factories.fail_one()
        assert sees() == before

    def test_a_failed_trial_is_no_failed_submission(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        ask(cast)
        factories.fail_one()
        assert queries.class_submissions(cast.ines, cast.klass, state="failed").rows == []

    def test_a_trial_does_not_hold_up_a_notebook_of_the_same_student(self, cast: Cast) -> None:
        for _ in range(3):
            graded(cast.sam, cast, 2.0)
        ask(cast)
        submit(cast.sam, cast.klass)
        assert queries.my_submissions(cast.sam, cast.klass, LAB)[0].state == RunState.QUEUED

    def test_a_trials_notebook_is_not_rendered(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        rendering = actions.claim_rendering(now=NOW)
        ask(cast)
        factories.grade_one()
        assert rendering is not None
        assert actions.claim_rendering(now=NOW) is None

    def test_a_failed_trial_is_tried_again(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        graded(cast.cleo, cast, 2.0)
        regrade = ask(cast)
        factories.fail_one()
        factories.grade_one(now=LATER)
        assert regrades.try_failed_again(actor=cast.ines, regrade=regrade.uuid, now=LATER) == 1
        factories.grade_one(factories.report(3.0), now=LATER)
        assert regrade_queries.preview(cast.ines, regrade.uuid).counts == {Effect.GAINS: 2}

    def test_nothing_failed_is_said(self, cast: Cast) -> None:
        regrade = graded_again(cast, 1.0)
        with pytest.raises(Conflict, match="nothing to restart"):
            regrades.try_failed_again(actor=cast.ines, regrade=regrade.uuid, now=NOW)

    def test_a_notebook_that_comes_meanwhile_is_not_in_it(self, cast: Cast) -> None:
        regrade = graded_again(cast, 1.0)
        graded(cast.cleo, cast, 2.0)
        shown = regrade_queries.preview(cast.ines, regrade.uuid)
        assert (len(shown.rows), shown.late) == (1, 1)
        apply(cast, regrade)
        assert queries.standings(cast.cleo, cast.klass)[LAB].best == 2.0

    def test_it_can_be_added(self, cast: Cast) -> None:
        regrade = graded_again(cast, 1.0)
        late = graded(cast.cleo, cast, 2.0)
        assert regrades.add_latecomers(actor=cast.ines, regrade=regrade.uuid, now=NOW) == 1
        assert regrade.runs.filter(submission=late, trial=True).exists()
        assert regrade_queries.preview(cast.ines, regrade.uuid).late == 0

    def test_one_that_the_new_tests_graded_is_not_late(self, cast: Cast) -> None:
        regrade = graded_again(cast, 1.0)
        catalog.use_version(actor=cast.ines, klass=cast.klass, version=regrade.version, now=NOW)
        graded(cast.cleo, cast, 2.0)
        assert regrade_queries.preview(cast.ines, regrade.uuid).late == 0
        with pytest.raises(Conflict, match="Nothing was handed in"):
            regrades.add_latecomers(actor=cast.ines, regrade=regrade.uuid, now=NOW)


class TestApplying:
    @pytest.mark.parametrize(("points", "then"), [(3.0, 3.0), (2.0, 2.0), (1.0, 1.0)])
    def test_the_new_score_counts(self, cast: Cast, points: float, then: float) -> None:
        apply(cast, graded_again(cast, points, keep_higher=False))
        assert score(cast, only(cast)) == then

    @pytest.mark.parametrize(("points", "then"), [(3.0, 3.0), (2.0, 2.0), (1.0, 2.0)])
    def test_keep_higher_takes_no_point_away(self, cast: Cast, points: float, then: float) -> None:
        apply(cast, graded_again(cast, points, keep_higher=True))
        assert score(cast, only(cast)) == then

    def test_it_counts_what_it_did(self, cast: Cast) -> None:
        for _ in range(4):
            graded(cast.sam, cast, 2.0)
        regrade = ask(cast)
        for points in (3.0, 2.0, 1.0):
            factories.grade_one(factories.report(points), now=NOW)
        factories.fail_one(now=NOW)
        assert apply(cast, regrade) == regrades.Applied(taken=2, kept=1, failed=1)

    def test_submissions_stay_as_they_were_handed_in(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0, now=LATER)
        before = rows_of(only(cast))
        apply(cast, regrade, now=LATER + timedelta(days=30))
        assert rows_of(only(cast)) == before

    def test_a_first_score_is_taken(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        factories.fail_one()
        regrade = ask(cast)
        factories.grade_one(factories.report(1.0))
        apply(cast, regrade)
        row = queries.submission_for(cast.sam, submission.uuid).row
        assert (row.state, row.score) == (RunState.DONE, 1.0)

    def test_a_score_whose_trial_failed_stays(self, cast: Cast) -> None:
        graded_again(cast, 3.0)
        failing = graded(cast.cleo, cast, 2.0)
        regrade = Regrade.objects.get()
        regrades.add_latecomers(actor=cast.ines, regrade=regrade.uuid, now=NOW)
        factories.fail_one()
        apply(cast, regrade)
        assert queries.submission_for(cast.cleo, failing.uuid).row.score == 2.0

    def test_what_counts_now_is_compared_not_what_counted_when_it_was_asked(self, cast: Cast) -> None:
        """A second grading with the old tests, asked for meanwhile, neither hides the trial nor escapes keep-higher."""
        regrade = graded_again(cast, 2.5)
        actions.regrade(actor=cast.ines, submission=only(cast).uuid, now=NOW)
        factories.grade_one(factories.report(3.0))
        apply(cast, regrade)
        assert score(cast, only(cast)) == 3.0

    def test_an_applied_trial_counts_before_a_run_that_was_queued_after_it(self, cast: Cast) -> None:
        regrade = graded_again(cast, 2.5)
        actions.regrade(actor=cast.ines, submission=only(cast).uuid, now=NOW)
        factories.grade_one(factories.report(1.0))
        apply(cast, regrade)
        assert score(cast, only(cast)) == 2.5

    def test_it_waits_for_the_trials(self, cast: Cast) -> None:
        graded_again(cast, 3.0)
        graded(cast.cleo, cast, 2.0)
        regrade = Regrade.objects.get()
        regrades.add_latecomers(actor=cast.ines, regrade=regrade.uuid, now=NOW)
        with pytest.raises(Conflict, match="1 of these notebooks is still being graded"):
            apply(cast, regrade)
        claim()
        with pytest.raises(Conflict, match="still being graded"):
            apply(cast, regrade)

    def test_it_waits_for_a_present_score_that_is_under_way(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0)
        actions.regrade(actor=cast.ines, submission=only(cast).uuid, now=NOW)
        with pytest.raises(Conflict, match="still being graded"):
            apply(cast, regrade)

    def test_nothing_but_failures_is_not_applied(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        regrade = ask(cast)
        factories.fail_one()
        with pytest.raises(Conflict, match="No notebook could be graded"):
            apply(cast, regrade)

    def test_only_what_was_looked_at_is_applied(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0)
        looked = seen(cast, regrade)
        actions.regrade(actor=cast.ines, submission=only(cast).uuid, now=NOW)
        factories.grade_one(factories.report(1.0))
        with pytest.raises(Conflict, match="since you looked"):
            regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=looked, now=NOW)
        assert score(cast, only(cast)) == 1.0

    def test_twice_is_refused(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0)
        looked = seen(cast, regrade)
        regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=looked, now=NOW)
        with pytest.raises(Conflict, match="applied already by Ines"):
            regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=looked, now=NOW)

    @pytest.mark.parametrize(("who", "error"), [("tom", Denied), ("sam", NotFound), ("eve", NotFound)])
    def test_only_an_instructor_applies(self, cast: Cast, who: str, error: type[Exception]) -> None:
        regrade = graded_again(cast, 3.0)
        with pytest.raises(error):
            apply(cast, regrade, actor=getattr(cast, who))
        assert score(cast, only(cast)) == 2.0

    @pytest.mark.parametrize("move", [True, False])
    def test_the_class_follows_the_new_version_if_asked_to(self, cast: Cast, move: bool) -> None:
        regrade = graded_again(cast, 3.0)
        seen_now = seen(cast, regrade)
        regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=seen_now, now=NOW, move_class=move)
        cast.klass.refresh_from_db()
        assert cast.klass.version == (regrade.version if move else cast.version)

    def test_the_trail_tells_of_the_regrade_and_of_each_submission(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0, 1.0)
        apply(cast, regrade)
        [whole] = AuditEvent.objects.filter(verb="labs.regrade-applied")
        [one] = AuditEvent.objects.filter(verb="labs.regraded")
        assert (whole.target_id, whole.actor, whole.data["reason"]) == (regrade.uuid, cast.ines, regrading.REASON)
        assert (one.actor, one.data["before"], one.data["after"]) == (cast.ines, [2.0, 3.0], [3.0, 3.0])
        assert (one.data["regrade"], one.data["reason"]) == (str(regrade.uuid), regrading.REASON)

    def test_the_accepted_notebook_is_rendered_anew(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0)
        while actions.claim_rendering(now=NOW):
            pass
        apply(cast, regrade)
        rendering = actions.claim_rendering(now=NOW)
        assert rendering is not None
        assert rendering.run == regrade.runs.get().uuid

    def test_a_later_single_regrade_keeps_to_the_new_tests(self, cast: Cast) -> None:
        apply(cast, graded_again(cast, 3.0))
        actions.regrade(actor=cast.ines, submission=only(cast).uuid, now=NOW)
        assert queries.work_of(claim())[0].questions == regrading.questions()

    def test_a_student_reads_why_and_what_it_was_before(self, cast: Cast) -> None:
        apply(cast, graded_again(cast, 3.0), now=LATER)
        report = queries.report_for(cast.sam, only(cast).uuid)
        assert report is not None
        assert report.regraded == queries.Regraded(LATER, regrading.REASON, 2.0, 3.0)


class TestASecondRegrade:
    def test_it_starts_from_what_the_first_left(self, cast: Cast) -> None:
        apply(cast, graded_again(cast, 3.0))
        second = ask(cast, cast.version)
        factories.grade_one(factories.report(1.0))
        [row] = regrade_queries.preview(cast.ines, second.uuid).rows
        assert row.old is not None
        assert (row.old.points, row.effect) == (3.0, Effect.KEEPS)

    def test_the_first_still_shows_what_it_changed(self, cast: Cast) -> None:
        first = graded_again(cast, 3.0)
        apply(cast, first)
        second = ask(cast, cast.version, keep_higher=False)
        factories.grade_one(factories.report(1.0))
        apply(cast, second)
        [row] = regrade_queries.preview(cast.ines, first.uuid).rows
        assert row.old is not None
        assert row.new is not None
        assert (row.old.points, row.new.points, row.effect) == (2.0, 3.0, Effect.GAINS)

    def test_what_the_first_graded_is_not_graded_again_with_the_same_tests(self, cast: Cast) -> None:
        first = graded_again(cast, 3.0)
        apply(cast, first)
        with pytest.raises(Conflict, match="nothing would change"):
            ask(cast, first.version)

    def test_what_kept_its_score_may_be_tried_once_more(self, cast: Cast) -> None:
        first = graded_again(cast, 1.0)
        apply(cast, first)
        second = ask(cast, first.version, keep_higher=False)
        factories.grade_one(factories.report(1.0))
        apply(cast, second)
        assert score(cast, only(cast)) == 1.0


class TestDiscarding:
    def test_no_score_changes(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0)
        regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW)
        assert score(cast, only(cast)) == 2.0

    def test_what_waited_is_not_graded(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        regrade = ask(cast)
        regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW)
        assert actions.claim_next(worker="w", now=LATER) is None

    def test_a_worker_at_work_on_it_loses_it(self, cast: Cast) -> None:
        graded(cast.sam, cast, 2.0)
        regrade = ask(cast)
        claimed = claim()
        regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW)
        with pytest.raises(actions.LostLease):
            factories.record(claimed)
        with pytest.raises(actions.LostLease):
            actions.heartbeat(run=claimed.run, token=claimed.token, progress=None, now=NOW)

    def test_it_can_not_be_applied_afterwards(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0)
        looked = seen(cast, regrade)
        regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW)
        with pytest.raises(Conflict, match="discarded already"):
            regrades.apply(actor=cast.ines, regrade=regrade.uuid, seen=looked, now=NOW)

    def test_another_may_follow(self, cast: Cast) -> None:
        regrade = graded_again(cast, 3.0)
        regrades.discard(actor=cast.ines, regrade=regrade.uuid, now=NOW)
        assert ask(cast, regrade.version).state == RegradeState.OPEN

    @pytest.mark.parametrize(("who", "error"), [("tom", Denied), ("sam", NotFound), ("eve", NotFound)])
    def test_only_an_instructor_discards(self, cast: Cast, who: str, error: type[Exception]) -> None:
        regrade = graded_again(cast, 3.0)
        with pytest.raises(error):
            regrades.discard(actor=getattr(cast, who), regrade=regrade.uuid, now=NOW)
