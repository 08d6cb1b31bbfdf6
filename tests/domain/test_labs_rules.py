from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from random import Random

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
    def test_a_first_run_stands_where_it_came(self) -> None:
        assert rules.turn_at(NOW, None) == NOW

    def test_a_students_runs_stand_apart(self) -> None:
        assert rules.turn_at(NOW, NOW) == NOW + rules.TURN

    def test_an_old_turn_is_forgiven(self) -> None:
        assert rules.turn_at(NOW, NOW - timedelta(days=1)) == NOW

    @given(st.lists(st.integers(0, 3600), min_size=1, max_size=50))
    def test_only_finitely_many_go_first(self, seconds: list[int]) -> None:
        """Whatever others do, what they queue after a run's turn stands behind it."""
        mine = rules.turn_at(NOW, NOW)
        last = None
        for second in sorted(seconds):
            last = rules.turn_at(mine + timedelta(seconds=second + 1), last)
            assert last > mine

    @given(st.integers(1, 20), st.integers(0, 299))
    def test_a_burst_costs_a_classmate_one_place(self, burst: int, seconds_later: int) -> None:
        turns, last = [], None
        for _ in range(burst):
            last = rules.turn_at(NOW, last)
            turns.append(last)
        mine = rules.turn_at(NOW + timedelta(seconds=seconds_later), None)
        assert sum(turn <= mine for turn in turns) == 1


class TestExpectedWait:
    def test_it_grows_with_the_place(self) -> None:
        assert rules.expected_wait_s(4, 1, [30, 40, 50]) == 160

    def test_workers_share_it(self) -> None:
        assert rules.expected_wait_s(4, 2, [30, 40, 50]) == 80

    def test_one_slow_run_does_not_move_it(self) -> None:
        assert rules.expected_wait_s(1, 1, [10, 10, 10, 10, 3600]) == 10

    def test_too_little_is_known_to_say(self) -> None:
        assert rules.expected_wait_s(1, 1, [10, 10]) is None

    def test_an_unseen_worker_counts_as_one(self) -> None:
        assert rules.expected_wait_s(2, 0, [10, 10, 10]) == 20


def test_a_fault_rests_longer_each_time_up_to_ten_minutes() -> None:
    assert [rules.back_off(tries).total_seconds() for tries in (1, 2, 3, 4, 5, 50)] == [5, 20, 80, 320, 600, 600]
