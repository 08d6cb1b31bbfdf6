"""A second version of the little course whose tests differ, and regrades with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from graders.bundle import Question
from graders.report import QuestionResult, Report, TestResult
from server.domain.accounts.models import User
from server.domain.catalog import actions as catalog
from server.domain.catalog.models import CourseVersion
from server.domain.labs import regrade_queries, regrades
from server.domain.labs.models import Regrade, Submission
from tests import factories
from tests.factories import LAB, NOW, Cast

STRICTER: Final = factories.Q2_TESTS.replace("answer == 42", "answer == 43")
Q3_TESTS: Final = factories.Q2_TESTS.replace('"q2"', '"q3"').replace("answer", "reason")
REASON: Final = "The answer to q2 is 43."


def questions(*, q2: str = STRICTER, q2_points: float = 1.0, more: Sequence[Question] = ()) -> tuple[Question, ...]:
    first, second = factories.bundle().questions
    return (first, replace(second, tests=q2, points=q2_points), *more)


def another_version(*asked: Question, now: datetime = NOW) -> CourseVersion:
    """The little course with other questions: by default, q2 wants another answer."""
    lab = replace(factories.bundle(), questions=asked or questions())
    return catalog.publish_course(actor=None, manifest=factories.manifest(), labs={LAB: lab}, now=now)


def ask(cast: Cast, version: CourseVersion | None = None, *, actor: User | None = None, **changes: Any) -> Regrade:
    """Ines asks for a regrade of the little lab with another version's tests."""
    options: dict[str, Any] = {"reason": REASON, "now": NOW, **changes}
    return regrades.ask(
        actor=actor or cast.ines,
        klass=cast.klass,
        lab_slug=LAB,
        version=version or another_version(),
        **options,
    )


def graded(student: User, cast: Cast, points: float, **changes: Any) -> Submission:
    submission = factories.submit(student, cast.klass, **changes)
    factories.grade_one(factories.report(points), now=submission.received_at)
    return submission


def graded_again(cast: Cast, *points: float, before: float = 2.0, now: datetime = NOW, **changes: Any) -> Regrade:
    """An open regrade whose trials gave Sam's notebooks these points; all had `before`."""
    for _ in points:
        graded(cast.sam, cast, before, now=now)
    regrade = ask(cast, now=now, **changes)
    for each in points:
        factories.grade_one(factories.report(each), now=now)
    return regrade


def apply(cast: Cast, regrade: Regrade, *, actor: User | None = None, now: datetime = NOW) -> regrades.Applied:
    """As who looks at the preview, and then applies it."""
    seen = regrade_queries.preview(cast.ines, regrade.uuid).fingerprint
    return regrades.apply(actor=actor or cast.ines, regrade=regrade.uuid, seen=seen, now=now)


def with_question(report: Report, question: QuestionResult) -> Report:
    return replace(
        report,
        score=report.score + question.points,
        max_score=report.max_score + question.max_points,
        questions=(*report.questions, question),
    )


def third_question(points: float = 0.0) -> QuestionResult:
    test = TestResult("test_reason", "public", points == 1.0, points, 1.0, "There is no reason.")
    return QuestionResult("q3", points, 1.0, (test,), "Give a reason")
