from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.domain.labs import rules
from tests.factories import NOW

STATES = st.sampled_from(["queued", "running", "done", "failed"])


@dataclass(frozen=True)
class Run:
    number: int
    state: str
    trial: bool = False


def _runs(states: list[str]) -> list[Run]:
    return [Run(number, state) for number, state in enumerate(states, 1)]


@given(st.lists(STATES), st.randoms())
def test_the_newest_finished_run_counts_in_whatever_order_they_come(states: list[str], random: Random) -> None:
    runs = _runs(states)
    done = [run for run in runs if run.state == "done"]
    random.shuffle(runs)
    assert rules.counted(runs) == (done[-1] if done else None)


@given(st.lists(STATES), st.sampled_from(["queued", "running", "failed"]))
def test_a_run_without_a_report_never_changes_what_counts(states: list[str], later: str) -> None:
    assert rules.counted(_runs([*states, later])) == rules.counted(_runs(states))


def test_the_newest_run_is_watched() -> None:
    assert rules.current(_runs(["done", "failed", "queued"])) == Run(3, "queued")


@given(st.lists(STATES), STATES)
def test_a_trial_neither_counts_nor_is_watched(states: list[str], trial: str) -> None:
    runs = _runs(states)
    tried = [*runs, Run(len(runs) + 1, trial, trial=True)]
    assert (rules.counted(tried), rules.current(tried)) == (rules.counted(runs), rules.current(runs))


class TestTurns:
    def test_a_newcomer_joins_the_round_that_is_under_way(self) -> None:
        assert rules.turn_of(7, None) == 7

    def test_a_first_run_of_all_is_in_the_first_round(self) -> None:
        assert rules.turn_of(0, None) == 1

    def test_a_student_has_one_run_a_round(self) -> None:
        assert rules.turn_of(7, 7) == 8

    def test_who_did_nothing_for_long_has_saved_up_nothing(self) -> None:
        assert rules.turn_of(7, 2) == 7


class TestWhoGoesFirst:
    def test_lanes_give_one_run_a_round(self) -> None:
        assert rules.ahead_of([1000, 1], mine=1, before=0) == [1, 0]

    def test_what_stands_behind_in_the_ring_gives_one_less(self) -> None:
        assert rules.ahead_of([3, 9, 9], mine=1, before=2) == [3, 2, 2]

    @given(st.lists(st.integers(0, 8), min_size=1, max_size=6), st.data())
    def test_it_is_what_a_ring_of_lanes_does(self, waiting: list[int], data: st.DataObject) -> None:
        mine = data.draw(st.integers(0, len(waiting) - 1))
        before = data.draw(st.integers(0, 8))
        left = [max(count, before + 1) if lane == mine else count for lane, count in enumerate(waiting)]
        ring, served = list(range(len(left))), [0] * len(left)
        while True:
            lane = next(lane for lane in ring if left[lane] > 0)
            if lane == mine and served[mine] == before:
                break
            left[lane] -= 1
            served[lane] += 1
            ring.remove(lane)
            ring.append(lane)
        assert rules.ahead_of(waiting, mine, before) == served


class TestPace:
    def test_it_is_the_mean_of_the_first_runs(self) -> None:
        pace = rules.NO_PACE.after(10).after(20).after(60)
        assert (pace.runs, pace.mean_s) == (3, 30)

    def test_it_follows_a_lab_that_became_slower(self) -> None:
        pace = rules.NO_PACE
        for seconds in [10.0] * 500 + [50.0] * 100:
            pace = pace.after(seconds)
        assert 45 < pace.mean_s < 50

    def test_of_a_lab_that_takes_always_the_same_the_rest_is_known(self) -> None:
        assert rules.Pace(9, 30, 900).rest_s(20) == 10

    def test_it_is_never_below_zero(self) -> None:
        assert rules.Pace(9, 30, 900).rest_s(40) == 0

    def test_of_a_lab_that_takes_anything_no_elapsed_time_tells_the_rest(self) -> None:
        """As a memoryless duration, whose deviation is its mean."""
        pace = rules.Pace(9, 30, 1800)
        assert (pace.rest_s(0), pace.rest_s(300)) == (30, 30)

    @given(st.lists(st.floats(0, 10_000), max_size=60))
    def test_it_is_within_what_was_seen(self, durations: list[float]) -> None:
        pace = rules.NO_PACE
        for seconds in durations:
            pace = pace.after(seconds)
        assert min(durations, default=0) - 1e-6 <= pace.mean_s <= max(durations, default=0) + 1e-6

    def test_of_all_labs_the_busier_weighs_more(self) -> None:
        assert rules.pace_of_all([rules.Pace(3, 10, 100), rules.Pace(1, 50, 2500)]).mean_s == 20

    def test_of_none_it_is_none(self) -> None:
        assert rules.pace_of_all([]) == rules.NO_PACE


class TestExpectedWait:
    def test_one_worker_does_all_that_is_ahead(self) -> None:
        assert rules.expected_wait_s(lambda _: 90, [10], 15) == 100

    def test_workers_share_it(self) -> None:
        assert rules.expected_wait_s(lambda _: 90, [10, 20], 15) == (90 + 30 - 15) / 2

    def test_an_unseen_worker_counts_as_one(self) -> None:
        assert rules.expected_wait_s(lambda _: 90, [], 15) == 90

    def test_it_is_never_below_zero(self) -> None:
        assert rules.expected_wait_s(lambda _: 0, [0, 1, 1], 15) == 0

    def test_what_comes_meanwhile_counts_with_what_comes_while_that_is_done(self) -> None:
        """A third of the worker's time goes to those who overtake: 60 s of work take 90 s."""
        assert rules.expected_wait_s(lambda wait: 60 + wait / 3, [0], 15) == pytest.approx(90, rel=0.01)

    def test_a_crowd_that_just_came_is_not_expected_to_go_on_coming(self) -> None:
        assert rules.expected_wait_s(lambda wait: 60 + 5 * wait, [0], 15) == 60 * rules.MOST_BY_ARRIVALS


class TestArrivals:
    def test_they_fade(self) -> None:
        assert rules.faded(100, NOW, NOW + 3 * rules.ARRIVALS_FADE) == pytest.approx(100 / math.e**3)

    def test_of_a_new_lane_there_are_none(self) -> None:
        assert rules.faded(0, None, NOW) == 0

    def test_a_clock_that_is_behind_adds_none(self) -> None:
        assert rules.faded(5, NOW, NOW - rules.ARRIVALS_FADE) == 5


def test_a_fault_rests_longer_each_time_up_to_ten_minutes() -> None:
    assert [rules.back_off(tries).total_seconds() for tries in (1, 2, 3, 4, 5, 50)] == [5, 20, 80, 320, 600, 600]
