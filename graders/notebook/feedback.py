"""What of a report a student may see, and the plain sentences that pages and terminals say about it.

A hidden test keeps its verdict, its points and the feedback that its author wrote for students; its name goes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from graders.report import QuestionResult, Report, TestResult

HIDDEN_NAME: Final = "Hidden check"


def for_student(report: Report) -> Report:
    """The report without what hidden tests must not tell. Applying it twice changes nothing."""
    return replace(report, questions=tuple(_question_for_student(question) for question in report.questions))


def _question_for_student(question: QuestionResult) -> QuestionResult:
    tests: list[TestResult] = []
    hidden = 0
    for test in question.tests:
        if test.visibility == "public":
            tests.append(test)
        else:  # whatever is not known to be public is treated as hidden
            hidden += 1
            tests.append(replace(test, name=f"{HIDDEN_NAME} {hidden}"))
    return replace(question, tests=tuple(tests))


def number_text(value: float) -> str:
    """At most two decimals, rounded down: 1.999 of 2 never reads as 2."""
    return f"{math.floor(value * 100 + 1e-6) / 100:.2f}".rstrip("0").rstrip(".")


def points_text(points: float, max_points: float) -> str:
    """For example "2.5 of 4 points"."""
    return f"{number_text(points)} of {number_text(max_points)} {'point' if max_points == 1 else 'points'}"


def checks_sentence(tests: Sequence[TestResult]) -> str:
    """How many checks passed, public and hidden apart; "all" is said only of the kind that it is true of."""
    public = [test for test in tests if test.visibility == "public"]
    hidden = [test for test in tests if test.visibility != "public"]
    if not tests:
        return "No checks ran."
    if not hidden:
        return f"{_passed(public, 'public check')}."
    if not public:
        return f"{_passed(hidden, 'hidden check')}."
    return f"{_passed(public, 'public check')}; hidden checks: {_count(hidden)} of {len(hidden)}."


def _passed(tests: Sequence[TestResult], kind: str) -> str:
    passed, total = _count(tests), len(tests)
    if total == 1:
        return f"The {kind} passed" if passed else f"The {kind} failed"
    if passed == total:
        return f"{'Both' if total == 2 else f'All {total}'} {kind}s passed"
    return f"{passed} of {total} {kind}s passed"


def _count(tests: Iterable[TestResult]) -> int:
    return sum(test.passed for test in tests)
