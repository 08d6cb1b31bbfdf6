"""What a student is told."""

from __future__ import annotations

import pytest

from graders.notebook.feedback import (
    checks_sentence,
    for_student,
    number_text,
    points_text,
)
from graders.report import CellFailure, Report
from tests.graders.reports import question, report, result

CANARY = "test_forgets_kv_heads"


def graded() -> Report:
    return report(
        question(
            "q1",
            result("has the right shape"),
            result(CANARY, "hidden", passed=False, message="Think about the KV heads."),
            result("names its unit", passed=False),
            result(f"{CANARY}_again", "hidden"),
        ),
        question("q2", result(f"{CANARY}_2", "hidden")),
        failed=(CellFailure(4, "q1", "error", "ValueError", "bad shape"),),
    )


def test_hidden_checks_are_numbered_in_each_question() -> None:
    q1, q2 = for_student(graded()).questions
    assert [test.name for test in q1.tests] == [
        "has the right shape",
        "Hidden check 1",
        "names its unit",
        "Hidden check 2",
    ]
    assert [test.name for test in q2.tests] == ["Hidden check 1"]


def test_no_hidden_name_is_left_anywhere() -> None:
    assert CANARY.encode() not in for_student(graded()).to_json()


def test_the_authors_feedback_on_a_hidden_check_stays() -> None:
    assert for_student(graded()).questions[0].tests[1].message == "Think about the KV heads."


def test_nothing_but_hidden_names_changes() -> None:
    seen, whole = for_student(graded()), graded()
    assert (seen.score, seen.cells, seen.notes, seen.timing) == (whole.score, whole.cells, whole.notes, whole.timing)
    assert [t.points for q in seen.questions for t in q.tests] == [t.points for q in whole.questions for t in q.tests]


def test_filtering_twice_changes_nothing() -> None:
    once = for_student(graded())
    assert for_student(once) == once


def test_the_filtered_report_is_a_report() -> None:
    assert Report.from_json(for_student(graded()).to_json()) == for_student(graded())


@pytest.mark.parametrize(
    ("public", "hidden", "sentence"),
    [
        ([True, True, False], [True, False], "2 of 3 public checks passed; hidden checks: 1 of 2."),
        ([True, True], [True, True], "Both public checks passed; hidden checks: 2 of 2."),
        ([True, True, True], [], "All 3 public checks passed."),
        ([True], [], "The public check passed."),
        ([False], [], "The public check failed."),
        ([], [True, False], "1 of 2 hidden checks passed."),
        ([], [], "No checks ran."),
    ],
)
def test_public_and_hidden_checks_are_counted_apart(public: list[bool], hidden: list[bool], sentence: str) -> None:
    tests = [result("t", passed=passed) for passed in public] + [result("t", "hidden", passed=p) for p in hidden]
    assert checks_sentence(tests) == sentence


def test_it_never_says_that_all_tests_passed_when_only_public_ones_did() -> None:
    tests = [result("a"), result("b"), result("c", "hidden", passed=False)]
    assert checks_sentence(tests) == "Both public checks passed; hidden checks: 0 of 1."


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (2.0, "2"),
        (2.5, "2.5"),
        (1 / 3, "0.33"),
        (0.1 + 0.2, "0.3"),
        (1.999, "1.99"),
        (0.29, "0.29"),
        (10.0, "10"),
    ],
)
def test_numbers_are_short_and_never_rounded_up(value: float, shown: str) -> None:
    assert number_text(value) == shown


def test_one_point_is_singular() -> None:
    assert points_text(0.5, 1.0) == "0.5 of 1 point"
