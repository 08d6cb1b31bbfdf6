"""Who is graded before whom: interactive before regrade, classes in turn, students of a class in turn."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import transaction

from server.domain.accounts.models import User
from server.domain.catalog.models import Class
from server.domain.labs import actions, queue, rules
from server.domain.labs.models import GradingRun, Lane, RunKind, Submission
from tests import factories
from tests.factories import LAB, NOW, Cast, claim, record, submit
from tests.load.crowd import crowd, hand_in_all

LEASE = timedelta(seconds=settings.RUN_LEASE_SECONDS)
CROWD = 1000


def class_with(cast: Cast, title: str, *names: str) -> tuple[Class, list[User]]:
    klass = factories.klass(cast.version, title)
    return klass, [factories.student_of(klass, name) for name in names]


def claimed_names(count: int, *, record_each: bool = False) -> list[str]:
    """The students of the next runs, in the order of their claims."""
    names = []
    for _ in range(count):
        claimed = claim(now=NOW + timedelta(minutes=1))
        names.append(GradingRun.objects.get(uuid=claimed.run).submission.user.name)
        if record_each:
            record(claimed)
    return names


def fault(claimed: actions.ClaimedRun) -> None:
    actions.record_fault(run=claimed.run, token=claimed.token, fault="The disk is full.", now=NOW)


class TestBetweenClasses:
    @pytest.mark.parametrize("ahead", [0, 1, 2])
    def test_a_class_of_a_thousand_holds_up_anothers_one_by_one_run_a_worker(self, cast: Cast, ahead: int) -> None:
        """Whatever of the crowd the workers hold already."""
        hand_in_all(crowd(cast.version, CROWD))
        for worker in range(ahead):
            claim(worker=f"w:{worker}")
        submit(cast.eve, cast.other_class)
        assert "Eve" in claimed_names(2)

    def test_two_crowds_take_turns(self, cast: Cast) -> None:
        first, second = crowd(cast.version, 10), crowd(cast.version, 10)
        hand_in_all(first)
        hand_in_all(second)
        classes = [Submission.objects.get(uuid=claim().submission).klass_id for _ in range(20)]
        assert classes == [first.klass.pk, second.klass.pk] * 10

    def test_no_class_waits_for_more_than_one_run_of_each_other(self, cast: Cast) -> None:
        for _ in range(5):
            hand_in_all(crowd(cast.version, 8))
        submit(cast.eve, cast.other_class)
        assert "Eve" in claimed_names(6)

    def test_a_class_that_hands_in_one_by_one_does_not_overtake_a_crowd_each_time(self, cast: Cast) -> None:
        hand_in_all(crowd(cast.version, 10))
        turns = []
        for _ in range(6):
            submit(cast.eve, cast.other_class)
            turns += ["Eve" in name for name in claimed_names(2, record_each=True)]
        assert turns == [False, True] * 6

    def test_classes_with_one_run_each_go_as_they_came(self, cast: Cast) -> None:
        classes = [class_with(cast, f"Class {number}", f"Student{number}") for number in range(5)]
        order = [3, 0, 4, 1, 2]
        for _ in range(2):
            for number in order:
                klass, [student] = classes[number]
                submit(student, klass)
            assert claimed_names(5, record_each=True) == [f"Student{number}" for number in order]

    def test_a_long_idle_class_has_saved_up_nothing(self, cast: Cast) -> None:
        submit(cast.eve, cast.other_class)
        record(claim())
        hand_in_all(crowd(cast.version, 20))
        for _ in range(10):
            claim()
        students = [cast.eve, factories.student_of(cast.other_class, "Emil")]
        for student in students:
            submit(student, cast.other_class)
        names = claimed_names(4)
        assert [name in ("Eve", "Emil") for name in names] == [False, True, False, True]


class TestWorkersAtOnce:
    def test_a_worker_that_was_too_slow_looks_again(self, cast: Cast) -> None:
        """Its run waits again, but it is another class's turn by now."""
        for student in (cast.sam, cast.cleo):
            submit(student, cast.klass)
        submit(cast.eve, cast.other_class)
        seen = queue.head(NOW)
        assert seen is not None
        faster = claim()
        actions.release(run=faster.run, token=faster.token, now=NOW)
        with transaction.atomic():
            assert queue.take(seen, NOW) is None
        assert claimed_names(1) == ["Eve"]


class TestWithinAClass:
    def test_a_burst_costs_a_classmate_one_place(self, cast: Cast) -> None:
        for _ in range(rules.MAX_WAITING):
            submit(cast.sam, cast.klass)
        submit(cast.cleo, cast.klass)
        assert claimed_names(4) == ["Sam", "Cleo", "Sam", "Sam"]

    def test_who_hands_in_again_stands_behind_who_waits(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        submit(cast.cleo, cast.klass)
        record(claim())
        submit(cast.sam, cast.klass)
        assert claimed_names(2) == ["Cleo", "Sam"]

    def test_who_was_away_has_saved_up_nothing(self, cast: Cast) -> None:
        for _ in range(4):
            submit(cast.sam, cast.klass)
            record(claim())
        for student in (cast.sam, cast.cleo, cast.cleo):
            submit(student, cast.klass)
        assert claimed_names(3) == ["Cleo", "Sam", "Cleo"]


class TestKinds:
    def test_regrades_are_last_however_early_they_came(self, cast: Cast) -> None:
        hand_in_all(crowd(cast.version, 3), kind=RunKind.REGRADE)
        submit(cast.sam, cast.klass)
        submit(cast.eve, cast.other_class)
        kinds = [GradingRun.objects.get(uuid=claim().run).kind for _ in range(5)]
        assert kinds == [RunKind.INTERACTIVE] * 2 + [RunKind.REGRADE] * 3

    def test_regrades_of_two_classes_take_turns(self, cast: Cast) -> None:
        first, second = crowd(cast.version, 3), crowd(cast.version, 3)
        hand_in_all(first, kind=RunKind.REGRADE)
        hand_in_all(second, kind=RunKind.REGRADE)
        classes = [Submission.objects.get(uuid=claim().submission).klass_id for _ in range(6)]
        assert classes == [first.klass.pk, second.klass.pk] * 3


class TestAfterAFault:
    def test_a_run_keeps_its_place_before_classmates_who_came_later(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        fault(claim())
        submit(cast.cleo, cast.klass)
        assert claimed_names(2) == ["Sam", "Cleo"]

    def test_it_keeps_its_place_before_classes_that_came_later(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        fault(claim())
        submit(cast.eve, cast.other_class)
        assert claimed_names(2) == ["Sam", "Eve"]

    def test_it_keeps_its_place_before_classes_that_stood_behind_it(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        submit(cast.eve, cast.other_class)
        fault(claim())
        assert claimed_names(2) == ["Sam", "Eve"]

    def test_what_comes_in_while_it_rests_has_no_part_in_its_place(self, cast: Cast) -> None:
        other, [una] = class_with(cast, "Another", "Una")
        submit(cast.sam, cast.klass)
        claimed = claim()
        submit(una, other)
        fault(claimed)
        submit(cast.sam, cast.klass, key="again")
        assert GradingRun.objects.get(uuid=claim(now=NOW).run).submission.user == una

    def test_a_silent_workers_run_keeps_its_place_too(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claim()
        submit(cast.cleo, cast.klass)
        submit(cast.eve, cast.other_class)
        actions.reap(now=NOW + LEASE + timedelta(seconds=1))
        assert claimed_names(1) == ["Sam"]

    def test_a_released_run_keeps_its_place_too(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        claimed = claim()
        submit(cast.eve, cast.other_class)
        actions.release(run=claimed.run, token=claimed.token, now=NOW)
        assert claimed_names(2) == ["Sam", "Eve"]

    def test_a_class_whose_runs_all_rest_blocks_nobody(self, cast: Cast) -> None:
        for student in (cast.sam, cast.cleo):
            submit(student, cast.klass)
        for _ in range(2):
            fault(claim())
        submit(cast.eve, cast.other_class)
        assert claim().submission == Submission.objects.get(user=cast.eve).uuid

    def test_a_class_whose_every_run_breaks_the_grader_is_not_the_first_for_ever(self, cast: Cast) -> None:
        broken = crowd(cast.version, 50)
        hand_in_all(broken)
        submit(cast.eve, cast.other_class)
        seen = []
        for _ in range(3):
            claimed = claim()
            seen.append(claimed.submission)
            if Submission.objects.get(uuid=claimed.submission).klass == broken.klass:
                fault(claimed)
        assert Submission.objects.get(user=cast.eve).uuid in seen

    def test_a_lane_with_work_that_rests_still_offers_the_rest(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        fault(claim())
        submit(cast.cleo, cast.klass)
        assert Submission.objects.get(uuid=claim().submission).user == cast.cleo

    def test_there_is_no_work_while_everything_rests(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        fault(claim())
        assert not actions.has_work(now=NOW)
        assert actions.has_work(now=NOW + rules.back_off(1))


class TestCounts:
    def drift(self, **wrong: object) -> None:
        assert Lane.objects.update(**wrong) == 1

    @pytest.mark.parametrize("wrong", [0, 1, 7])
    def test_the_reaper_mends_a_count_that_drifted(self, cast: Cast, wrong: int) -> None:
        for student in (cast.sam, cast.cleo):
            submit(student, cast.klass)
        self.drift(waiting=wrong, labs={})
        actions.reap(now=NOW)
        lane = Lane.objects.get()
        assert (lane.waiting, lane.labs) == (2, {LAB: 2})

    def test_a_run_that_no_count_knows_is_claimed_after_that(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        self.drift(waiting=0)
        actions.reap(now=NOW)
        assert claimed_names(1) == ["Sam"]

    def test_a_count_too_low_stops_no_claim(self, cast: Cast) -> None:
        for student in (cast.sam, cast.cleo):
            submit(student, cast.klass)
        self.drift(waiting=1)
        claim()
        assert Lane.objects.get().waiting == 0

    def test_a_count_too_high_makes_no_run_up(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        self.drift(waiting=5)
        claim()
        assert actions.claim_next(worker="w", now=NOW) is None

    def test_mending_what_is_right_changes_nothing(self, cast: Cast) -> None:
        submit(cast.sam, cast.klass)
        assert queue.repair() == 0
