"""The cast and their things, made through the actions that users take.

Ines teaches, Tom assists, Sam studies; Eve belongs to another class. Cleo studies with Sam.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from graders.bundle import LabBundle, LabLimits, Question
from graders.report import Cells, QuestionResult, Report, TestResult, Timing
from server.domain.accounts import actions as accounts
from server.domain.accounts.models import User
from server.domain.catalog import actions as catalog
from server.domain.catalog.models import Class, CourseVersion, Role
from server.domain.core import blobs
from server.domain.labs import actions as labs
from server.domain.labs.models import RunState, Submission

NOW: Final = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)
COURSE: Final = "little"
LAB: Final = "doubling"
LAB_ID: Final = f"{COURSE}/{LAB}"
PASSWORD: Final = "correct horse battery"

Q1_TESTS: Final = """\
from otter.test_files import test_case

OK_FORMAT = False
name = "q1"
points = None


@test_case(points=1, hidden=False, failure_message="Try double(3).")
def test_three(double):
    assert double(3) == 6


@test_case(points=1, hidden=True, failure_message="Not every number is doubled.")
def test_fresh_numbers(double):
    from random import Random
    from os import environ

    for number in Random(environ.get("RIDGEPOINT_SEED")).choices(range(1000), k=20):
        assert double(number) == 2 * number
"""
Q2_TESTS: Final = """\
from otter.test_files import test_case

OK_FORMAT = False
name = "q2"
points = None


@test_case(points=1, hidden=False, failure_message="The answer has two digits.")
def test_answer(answer):
    assert answer == 42
"""

RIGHT: Final = {"q1": "def double(x):\n    return 2 * x", "q2": "answer = 42"}
EMPTY: Final = {"q1": "def double(x):\n    ...", "q2": "answer = ..."}

_keys = itertools.count(1)


@dataclass(frozen=True)
class Cast:
    now: datetime
    version: CourseVersion
    klass: Class
    other_class: Class
    ines: User
    tom: User
    sam: User
    cleo: User
    eve: User

    @property
    def members(self) -> tuple[User, ...]:
        return self.ines, self.tom, self.sam, self.cleo


def notebook(answers: Mapping[str, str] = RIGHT, *, lab: str = LAB_ID) -> bytes:
    """A student's .ipynb of that lab, with a cell for each answer and its check."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# Doubling numbers, and one answer"}
    ]
    for question, source in answers.items():
        for kind, text in (("answer", source), ("check", f'grader.check("{question}")')):
            cells.append(
                {
                    "cell_type": "code",
                    "id": f"{question}-{kind}",
                    "metadata": {"ridgepoint": {"question": question}},
                    "source": text,
                    "execution_count": None,
                    "outputs": [],
                }
            )
    metadata = {"ridgepoint": {"lab": lab}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}).encode()


def bundle(lab: str = LAB_ID, limits: LabLimits | None = None) -> LabBundle:
    """A lab of two small questions, gradable for real."""
    return LabBundle(
        lab=lab,
        title="Doubling",
        questions=(
            Question("q1", "Double a number", 2.0, Q1_TESTS),
            Question("q2", "Give the answer", 1.0, Q2_TESTS),
        ),
        starter=notebook(EMPTY, lab=lab).decode(),
        solution=notebook(RIGHT, lab=lab).decode(),
        limits=limits or LabLimits(cell_s=20, run_s=60, test_s=10),
        library={"labkit/__init__.py": "", "labkit/checks.py": "class Notebook:\n    def check(self, name): ...\n"},
    )


def manifest(slug: str = COURSE, *labs: str, **changes: Any) -> dict[str, Any]:
    """A compiled course.yaml, as publication hands it to `publish_course`."""
    slugs = labs or (LAB,)
    return {
        "slug": slug,
        "title": "A little course",
        "summary": "One lab, to try the house with.",
        "outcomes": [{"id": "double", "text": "Double a number."}],
        "prerequisites": ["Python"],
        "modules": [{"id": "m1", "title": "Doubling", "summary": "You can double.", "labs": list(slugs)}],
        "labs": {
            lab: {"title": "Doubling", "summary": "Two questions.", "minutes": 5, "instructions": "<p>Double it.</p>"}
            for lab in slugs
        },
        **changes,
    }


def publish(
    slug: str = COURSE, *, now: datetime = NOW, limits: LabLimits | None = None, **changes: Any
) -> CourseVersion:
    bundles = {LAB: bundle(f"{slug}/{LAB}", limits)}
    return catalog.publish_course(actor=None, manifest=manifest(slug, **changes), labs=bundles, now=now)


def user(name: str, *, now: datetime = NOW) -> User:
    return accounts.create_user(username=name.lower(), name=name, password=PASSWORD, now=now)


def klass(version: CourseVersion, title: str = "Autumn", *, now: datetime = NOW, **changes: Any) -> Class:
    dates: dict[str, Any] = {"starts_on": date(2026, 1, 1), "ends_on": None, **changes}
    return catalog.create_class(actor=None, version=version, title=title, now=now, **dates)


def student_of(target: Class, name: str, *, now: datetime = NOW) -> User:
    student = user(name, now=now)
    catalog.enroll(actor=None, klass=target, user=student, role=Role.STUDENT, now=now)
    return student


def cast(now: datetime = NOW) -> Cast:
    version = publish(now=now)
    autumn, winter = klass(version, now=now), klass(version, "Winter", now=now)
    ines, tom = user("Ines", now=now), user("Tom", now=now)
    catalog.enroll(actor=None, klass=autumn, user=ines, role=Role.INSTRUCTOR, now=now)
    catalog.enroll(actor=ines, klass=autumn, user=tom, role=Role.ASSISTANT, now=now)
    sam, cleo = student_of(autumn, "Sam", now=now), student_of(autumn, "Cleo", now=now)
    eve = student_of(winter, "Eve", now=now)
    return Cast(now, version, autumn, winter, ines, tom, sam, cleo, eve)


def submit(
    student: User,
    target: Class,
    *,
    now: datetime = NOW,
    content: bytes | None = None,
    key: str | None = None,
    filename: str = "doubling.ipynb",
) -> Submission:
    return labs.submit_notebook(
        actor=student,
        klass=target,
        lab_slug=LAB,
        filename=filename,
        content=notebook() if content is None else content,
        idempotency_key=key or f"key-{next(_keys)}",
        now=now,
    )


def claim(*, now: datetime = NOW, worker: str = "worker:1") -> labs.ClaimedRun:
    """The next run, which must be there."""
    claimed = labs.claim_next(worker=worker, now=now)
    assert claimed is not None
    return claimed


def record(claimed: labs.ClaimedRun, result: Report | None = None, *, now: datetime | None = None) -> None:
    """As a worker does that has graded."""
    labs.record_report(
        run=claimed.run,
        token=claimed.token,
        report=result or report(),
        executed_sha=blobs.put(notebook()),
        now=now or claimed.started_at,
    )


def grade_one(result: Report | None = None, *, now: datetime = NOW) -> None:
    record(claim(now=now), result)


def fail_one(*, now: datetime = NOW) -> None:
    """Let faults use up all tries of the next run."""
    state = None
    while state != RunState.FAILED:
        claimed = claim(now=now)
        state = labs.record_fault(run=claimed.run, token=claimed.token, fault="The disk is full.", now=now)
        now += timedelta(hours=1)


def report(points: float = 3.0, *, lab: str = LAB_ID) -> Report:
    """What a grader might say of a notebook with that many points; q1 has a hidden test."""
    q1, q2 = min(points, 2.0), max(points - 2.0, 0.0)
    hidden = max(q1 - 1.0, 0.0)
    return Report(
        lab=lab,
        bundle=bundle(lab).digest,
        status="complete",
        score=points,
        max_score=3.0,
        questions=(
            QuestionResult(
                name="q1",
                title="Double a number",
                points=q1,
                max_points=2.0,
                tests=(
                    TestResult("test_three", "public", q1 >= 1, min(q1, 1.0), 1.0, "" if q1 >= 1 else "Try double(3)."),
                    TestResult("test_fresh_numbers", "hidden", hidden == 1.0, hidden, 1.0, ""),
                ),
            ),
            QuestionResult(
                "q2", q2, 1.0, (TestResult("test_answer", "public", q2 == 1.0, q2, 1.0),), "Give the answer"
            ),
        ),
        cells=Cells(total=4, executed=4),
        timing=Timing(cells_s=0.5, tests_s=0.1, total_s=0.6),
    )
