"""The bench's arithmetic, on numbers that anybody can check."""

from __future__ import annotations

import math

import pytest

from tests.load.figures import Target, overheads, percentile, spread, table, takes_turn


def test_a_percentile_lies_between_its_neighbors_in_rank() -> None:
    assert percentile([4, 1, 3, 2, 5], 0.5) == 3
    assert percentile([10, 20], 0.95) == pytest.approx(19.5)


def test_the_percentiles_of_one_value_are_that_value() -> None:
    assert {percentile([7.0], share) for share in (0, 0.25, 0.95, 1)} == {7.0}


def test_a_spread_does_not_depend_on_the_order() -> None:
    found = spread([5, 1, 4, 2, 3])
    assert found == {"n": 5, "least": 1, "q1": 2, "median": 3, "q3": 4, "p95": pytest.approx(4.8), "most": 5}


def test_what_is_added_is_counted_from_the_bare_run_of_the_same_round() -> None:
    assert overheads([(0, 3.0), (2, 9.0)], [1.0, 100.0, 2.0]) == [2.0, 7.0]


@pytest.mark.parametrize(("turns", "rounds"), [(0, 7), (1, 7), (3, 7), (7, 7), (12, 60)])
def test_everybody_has_as_many_turns_as_they_are_to_have(turns: int, rounds: int) -> None:
    assert sum(takes_turn(number, turns, rounds) for number in range(rounds)) == turns


def test_turns_are_spread_over_the_rounds() -> None:
    assert [number for number in range(12) if takes_turn(number, 3, 12)] == [3, 7, 11]


@pytest.mark.parametrize(
    ("figure", "rule", "verdict"),
    [
        (0.5, "at most", "met"),
        (0.51, "at most", "MISSED"),
        (0.5, "at least", "met"),
        (0.49, "at least", "MISSED"),
        (None, "at most", "not measured"),
        (math.nan, "at least", "not measured"),
    ],
)
def test_a_target_is_met_missed_or_not_measured(figure: float | None, rule: str, verdict: str) -> None:
    assert Target("it", figure, rule, 0.5, "s").verdict == verdict  # type: ignore[arg-type]


def test_a_row_of_targets_names_bound_figure_and_verdict() -> None:
    assert Target("it", 0.1234, "at most", 0.25, "s", "as said").row() == (
        "it",
        "at most 0.25 s",
        "0.123 s",
        "met",
        "as said",
    )


def test_a_table_aligns_figures_to_the_right_and_words_to_the_left() -> None:
    assert table(("", "median", ""), [("one", "1.5", "s"), ("another", "10.5", "ms")]).splitlines() == [
        "           median",
        "  one         1.5  s",
        "  another    10.5  ms",
    ]
