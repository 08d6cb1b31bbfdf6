from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from django.conf import settings

from graders.report import ReportError
from server.domain.core.errors import Conflict, Denied, NotFound
from server.domain.core.models import AuditEvent
from server.domain.labs import actions, queries, rules
from server.domain.labs.actions import LostLease
from server.domain.labs.models import GradingRun, RunKind, RunState
from tests import factories
from tests.factories import NOW, Cast, claim, record, report, submit

LEASE = timedelta(seconds=settings.RUN_LEASE_SECONDS)
LATER = NOW + LEASE + timedelta(seconds=1)


@dataclass(frozen=True)
class Step:
    phase: str = "cells"
    cell: int = 2
    of: int = 4
    question: str | None = "q1"


def _run(claimed: actions.ClaimedRun) -> GradingRun:
    return GradingRun.objects.get(uuid=claimed.run)


class TestClaiming:
    def test_an_empty_queue_gives_nothing(self, cast: Cast) -> None:
        assert actions.claim_next(worker="w", now=NOW) is None

    def test_a_claim_says_what_to_grade(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        claimed = claim()
        bundle, notebook = queries.work_of(claimed)
        assert (claimed.submission, claimed.lab) == (submission.uuid, factories.LAB_ID)
        assert bundle == factories.bundle()
        assert b"return 2 * x" in notebook

    def test_a_run_is_claimed_once(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claim()
        assert actions.claim_next(worker="w2", now=NOW) is None

    def test_each_claim_draws_a_seed_and_raises_the_token(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        first = claim()
        actions.reap(now=LATER)
        second = claim(now=LATER)
        assert second.token > first.token
        assert second.seed != first.seed
        assert _run(second).seed == second.seed

    def test_a_claim_is_in_the_trail(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        event = AuditEvent.objects.get(verb="labs.run-claimed")
        assert (event.target_id, event.actor, event.data["token"]) == (claimed.run, None, claimed.token)


class TestHeartbeat:
    def test_it_extends_the_lease(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        soon = NOW + timedelta(seconds=20)
        actions.heartbeat(run=claimed.run, token=claimed.token, progress=None, now=soon)
        assert _run(claimed).lease_until == soon + LEASE

    def test_it_shows_progress(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        claimed = claim()
        actions.heartbeat(run=claimed.run, token=claimed.token, progress=Step(), now=NOW)
        status = queries.run_status(cast.sam, submission.uuid, now=NOW)
        assert (status.phase, status.cell, status.of, status.question) == ("cells", 2, 4, "q1")

    def test_an_old_token_is_refused(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        old = claim()
        actions.reap(now=LATER)
        claim(now=LATER)
        with pytest.raises(LostLease):
            actions.heartbeat(run=old.run, token=old.token, progress=None, now=LATER)

    def test_a_reaped_run_is_lost_even_before_the_next_claim(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        old = claim()
        actions.reap(now=LATER)
        with pytest.raises(LostLease):
            actions.heartbeat(run=old.run, token=old.token, progress=None, now=LATER)

    def test_it_does_not_wake_a_finished_run(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        record(claimed)
        with pytest.raises(LostLease):
            actions.heartbeat(run=claimed.run, token=claimed.token, progress=Step(), now=NOW)


class TestRecording:
    def test_the_report_comes_back(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        record(claim(), report(2.0))
        graded = queries.report_for(cast.ines, submission.uuid)
        assert graded is not None
        assert graded.report == report(2.0)

    def test_a_students_null_character_survives(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        record(claim(), replace(report(), notes=("zero: \0, smile: \U0001f642",)))
        graded = queries.report_for(cast.sam, submission.uuid)
        assert graded is not None
        assert graded.report.notes == ("zero: \0, smile: \U0001f642",)

    def test_an_old_token_is_refused(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        old = claim()
        actions.reap(now=LATER)
        new = claim(now=LATER)
        with pytest.raises(LostLease):
            record(old, report(0.0))
        record(new, report(3.0))
        assert _run(new).score == 3.0

    def test_a_report_is_recorded_once(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        record(claimed, report(3.0))
        with pytest.raises(LostLease):
            record(claimed, report(0.0))
        assert _run(claimed).score == 3.0

    def test_a_report_that_is_none_is_refused(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        with pytest.raises(ReportError):
            record(claimed, replace(report(), score=float("nan")))
        assert _run(claimed).state == RunState.RUNNING

    def test_scores_are_in_the_trail(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        record(claim(), report(2.0))
        assert AuditEvent.objects.get(verb="labs.run-graded").data["score"] == 2.0


class TestWhichRunCounts:
    def test_a_failed_run_leaves_the_score(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        record(claim(), report(2.0))
        actions.regrade(actor=cast.ines, submission=submission.uuid, now=NOW)
        factories.fail_one()
        [row] = queries.my_submissions(cast.sam, cast.klass, factories.LAB)
        assert (row.state, row.score) == (RunState.FAILED, 2.0)


class TestFaults:
    def test_a_fault_puts_the_run_back_to_rest(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        state = actions.record_fault(run=claimed.run, token=claimed.token, fault="The disk is full.", now=NOW)
        assert state == RunState.QUEUED
        assert actions.claim_next(worker="w", now=NOW) is None
        assert claim(now=NOW + rules.back_off(1)).run == claimed.run

    def test_it_gives_up_after_some_tries(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        states = []
        for _ in range(settings.RUN_MAX_TRIES):
            claimed = claim(now=NOW + timedelta(hours=1))
            states.append(actions.record_fault(run=claimed.run, token=claimed.token, fault="Broken.", now=NOW))
        assert states == [RunState.QUEUED] * (settings.RUN_MAX_TRIES - 1) + [RunState.FAILED]

    def test_it_costs_no_attempt(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        factories.fail_one()
        submit(cast.sam, cast.klass)
        record(claim())
        newest = queries.my_submissions(cast.sam, cast.klass, factories.LAB)[0]
        assert newest.state == RunState.DONE

    def test_an_old_token_can_not_set_back_a_run(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        old = claim()
        actions.reap(now=LATER)
        new = claim(now=LATER)
        with pytest.raises(LostLease):
            actions.record_fault(run=old.run, token=old.token, fault="Late.", now=LATER)
        assert _run(new).state == RunState.RUNNING

    def test_a_faults_null_character_is_dropped(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        actions.record_fault(run=claimed.run, token=claimed.token, fault="a\0b" * 1000, now=NOW)
        assert "\0" not in _run(claimed).fault

    def test_a_fault_that_no_database_can_store_as_it_is_sets_the_run_back_too(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        actions.record_fault(run=claimed.run, token=claimed.token, fault="half of a pair: \ud83d", now=NOW)
        assert _run(claimed).fault == "half of a pair: ?"


class TestReleasing:
    def test_a_released_run_is_free_at_once_and_lost_no_try(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        actions.release(run=claimed.run, token=claimed.token, now=NOW)
        assert claim().tries == 1

    def test_what_was_released_is_not_recorded(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        actions.release(run=claimed.run, token=claimed.token, now=NOW)
        with pytest.raises(LostLease):
            record(claimed)


class TestReaping:
    def test_it_leaves_a_live_run(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claim()
        assert actions.reap(now=NOW + LEASE) == actions.Reaped(0, 0)

    def test_it_queues_a_silent_workers_run_again(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        assert actions.reap(now=LATER) == actions.Reaped(1, 0)
        assert claim(now=LATER).run == claimed.run

    def test_what_kills_every_worker_is_given_up(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        for number in range(1, settings.RUN_MAX_TRIES + 1):
            claim(now=NOW + number * 2 * LEASE)
            reaped = actions.reap(now=NOW + number * 2 * LEASE + LEASE + timedelta(seconds=1))
        assert reaped == actions.Reaped(0, 1)

    def test_its_trail_says_which_worker_fell_silent(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claim(worker="lab-7:99")
        actions.reap(now=LATER)
        assert "lab-7:99" in AuditEvent.objects.get(verb="labs.run-set-back").data["fault"]


class TestRestarting:
    def test_an_instructor_restarts_what_failed(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        factories.fail_one()
        actions.restart_failed(actor=cast.ines, submission=submission.uuid, now=NOW)
        record(claim(), report(3.0))
        graded = queries.report_for(cast.sam, submission.uuid)
        assert graded is not None
        assert graded.report.score == 3.0

    def test_twice_is_once(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        factories.fail_one()
        actions.restart_failed(actor=cast.ines, submission=submission.uuid, now=NOW)
        with pytest.raises(Conflict):
            actions.restart_failed(actor=cast.ines, submission=submission.uuid, now=NOW)
        assert submission.runs.count() == 2

    @pytest.mark.parametrize(("who", "error"), [("tom", Denied), ("sam", Denied), ("eve", NotFound)])
    def test_nobody_else_does(self, cast: Cast, who: str, error: type[Exception]) -> None:
        submission = submit(cast.sam, cast.klass)
        factories.fail_one()
        with pytest.raises(error):
            actions.restart_failed(actor=getattr(cast, who), submission=submission.uuid, now=NOW)


class TestRegrading:
    def test_a_regrade_waits_for_the_run_under_way(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        with pytest.raises(Conflict):
            actions.regrade(actor=cast.ines, submission=submission.uuid, now=NOW)

    def test_the_score_stays_until_it_is_done(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        record(claim(), report(1.0))
        actions.regrade(actor=cast.ines, submission=submission.uuid, now=NOW)
        [row] = queries.my_submissions(cast.sam, cast.klass, factories.LAB)
        assert (row.state, row.score) == (RunState.QUEUED, 1.0)

    @pytest.mark.parametrize(("who", "error"), [("tom", Denied), ("sam", Denied), ("eve", NotFound)])
    def test_only_an_instructor_regrades(self, cast: Cast, who: str, error: type[Exception]) -> None:
        submission = submit(cast.sam, cast.klass)
        record(claim())
        with pytest.raises(error):
            actions.regrade(actor=getattr(cast, who), submission=submission.uuid, now=NOW)


class TestRendering:
    def test_a_graded_run_is_rendered_once(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        record(claim())
        rendering = actions.claim_rendering(now=NOW)
        assert rendering is not None
        assert actions.claim_rendering(now=NOW) is None
        actions.record_rendering(run=rendering.run, html_sha="a" * 64, now=NOW)
        assert actions.claim_rendering(now=NOW + timedelta(hours=1)) is None

    def test_somebody_else_takes_over_from_a_dead_renderer(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        record(claim())
        assert actions.claim_rendering(now=NOW)
        assert actions.claim_rendering(now=NOW + actions.RENDERING_LEASE)

    def test_what_can_not_be_rendered_is_left_in_peace(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        record(claim())
        for number in range(actions.MOST_RENDERINGS):
            assert actions.claim_rendering(now=NOW + timedelta(days=number))
        assert not actions.has_work(now=NOW + timedelta(days=100))

    def test_a_page_outlives_a_disk_that_is_full_for_hours(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        record(claim())
        for minute in range(180):
            actions.claim_rendering(now=NOW + timedelta(minutes=minute))
        assert actions.has_work(now=NOW + timedelta(hours=5))

    def test_the_first_copy_stays(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        record(claimed)
        actions.record_rendering(run=claimed.run, html_sha="a" * 64, now=NOW)
        actions.record_rendering(run=claimed.run, html_sha="b" * 64, now=NOW)
        assert _run(claimed).html_sha == "a" * 64


class TestOrder:
    def test_a_regrade_lets_everybody_else_go_first(self, cast: Cast) -> None:
        submission = submit(cast.sam, cast.klass)
        record(claim())
        actions.regrade(actor=cast.ines, submission=submission.uuid, now=NOW)
        submit(cast.cleo, cast.klass, now=NOW + timedelta(hours=1))
        kinds = [_run(claim(now=NOW + timedelta(hours=1))).kind for _ in range(2)]
        assert kinds == [RunKind.INTERACTIVE, RunKind.REGRADE]

    def test_students_take_turns(self, cast: Cast) -> None:
        for second in range(3):
            submit(cast.sam, cast.klass, now=NOW + timedelta(seconds=second))
        for second in range(3, 6):
            submit(cast.cleo, cast.klass, now=NOW + timedelta(seconds=second))
        order = [_run(claim(now=NOW + timedelta(minutes=1))).submission.user.name for _ in range(6)]
        assert order == ["Sam", "Cleo"] * 3

    def test_a_resting_run_does_not_hold_up_the_others(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        actions.record_fault(run=claimed.run, token=claimed.token, fault="Broken.", now=NOW)
        submit(cast.cleo, cast.klass)
        assert claim().run != claimed.run
