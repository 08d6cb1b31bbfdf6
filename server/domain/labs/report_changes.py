"""Why two reports of one notebook differ: question by question, and which tests' verdicts changed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from graders.report import QuestionResult, Report, TestResult, Visibility


@dataclass(frozen=True)
class TestChange:
    """`passed` and `points` as (before, after); None where only the other report has the test."""

    __test__ = False  # the name makes pytest take it for a test

    name: str
    visibility: Visibility
    passed: tuple[bool | None, bool | None]
    points: tuple[float | None, float | None]
    most: tuple[float | None, float | None]
    message: str


@dataclass(frozen=True)
class QuestionChange:
    """`lacking`: the notebook comes from a starter without this question, so it could not be answered."""

    name: str
    title: str
    points: tuple[float | None, float | None]
    most: tuple[float | None, float | None]
    lacking: bool
    tests: tuple[TestChange, ...]


def changes(before: Report | None, after: Report, *, lacking: Collection[str] = ()) -> tuple[QuestionChange, ...]:
    """The questions that differ, in the new report's order, then those that are asked no more."""
    was = {question.name: question for question in before.questions} if before else {}
    compared = [_question(now, was.get(now.name), now, now.name in lacking) for now in after.questions]
    gone = was.keys() - {question.name for question in after.questions}
    compared += [_question(question, question, None, lacking=False) for name, question in was.items() if name in gone]
    return tuple(each for each in compared if each.tests or each.points[0] != each.points[1] or len(set(each.most)) > 1)


def _question(
    shown: QuestionResult, before: QuestionResult | None, after: QuestionResult | None, lacking: bool
) -> QuestionChange:
    was, now = _by_name(before.tests if before else ()), _by_name(after.tests if after else ())
    tests = [_test(test, was.get(key), now.get(key)) for key, test in {**now, **was, **now}.items()]
    return QuestionChange(
        name=shown.name,
        title=shown.title,
        points=(before.points if before else None, after.points if after else None),
        most=(before.max_points if before else None, after.max_points if after else None),
        lacking=lacking,
        tests=tuple(each for each in tests if len({*each.passed}) > 1 or len({*each.points}) > 1),
    )


def _test(shown: TestResult, before: TestResult | None, after: TestResult | None) -> TestChange:
    return TestChange(
        name=shown.name,
        visibility=shown.visibility,
        passed=(before.passed if before else None, after.passed if after else None),
        points=(before.points if before else None, after.points if after else None),
        most=(before.max_points if before else None, after.max_points if after else None),
        message=after.message if after else "",
    )


def _by_name(tests: Iterable[TestResult]) -> dict[tuple[str, int], TestResult]:
    """A question may have two tests of one name: the first is compared with the first."""
    seen: Counter[str] = Counter()
    found = {}
    for test in tests:
        found[test.name, seen[test.name]] = test
        seen[test.name] += 1
    return found
