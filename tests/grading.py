"""Small labs, written where they are used, and graded for real: two jails, otter-grader, no stand-in."""

from __future__ import annotations

import functools
import json
import textwrap
from collections.abc import Callable
from typing import Any

from django.conf import settings

from graders.bundle import LabBundle, LabLimits, Question
from graders.report import CellFailure, QuestionResult, TestResult
from workers.engine import Outcome, Progress, grade
from workers.sandbox import default_sandbox
from workers.sandbox.interface import Sandbox

SETUP = "class grader:\n    check = staticmethod(print)"


@functools.cache
def sandbox() -> Sandbox:
    return default_sandbox(settings.LAB_PYTHON)


def question(name: str, tests: str, points: float = 1.0) -> Question:
    """`tests` is the body of an otter-grader test file: decorated functions."""
    head = f"OK_FORMAT = False\nfrom otter.test_files import test_case\nname = {name!r}\npoints = {points!r}\n"
    return Question(name, name.upper(), points, head + textwrap.dedent(tests))


def squares(name: str, function: str) -> Question:
    """One point for a public case and one for a hidden case of a function that squares."""
    return question(
        name,
        f"""
        @test_case(points=1)
        def test_public({function}):
            assert {function}(3) == 9
        @test_case(points=1, hidden=True, failure_message="Try a negative number.")
        def test_hidden({function}):
            assert {function}(-4) == 16
        """,
        points=2.0,
    )


def lab(*questions: Question, library: dict[str, str] | None = None, **limits: Any) -> LabBundle:
    return LabBundle(
        lab="testing/small",
        title="A small lab",
        questions=questions,
        starter="",
        solution="",
        limits=LabLimits(**{"cell_s": 20.0, "run_s": 60.0, "test_s": 10.0, **limits}),
        library=library or {},
    )


def notebook(*sources: str) -> bytes:
    """A notebook of these code cells."""
    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "metadata": {},
            "source": textwrap.dedent(source).strip("\n"),
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(sources, 1)
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def graded(
    bundle: LabBundle, *sources: str, on_progress: Callable[[Progress], None] = lambda _progress: None, **options: Any
) -> Outcome:
    return grade(
        bundle,
        notebook(*sources),
        seed=20261130,
        sandbox=sandbox(),
        lab_python=settings.LAB_PYTHON,
        cache_dir=settings.CACHE_DIR,
        on_progress=on_progress,
        **options,
    )


def points(outcome: Outcome) -> dict[str, float]:
    return {each.name: each.points for each in outcome.report.questions}


def result(outcome: Outcome, name: str) -> QuestionResult:
    return next(each for each in outcome.report.questions if each.name == name)


def message(outcome: Outcome, name: str, test: int = 0) -> str:
    tests: tuple[TestResult, ...] = result(outcome, name).tests
    return tests[test].message


def failure(outcome: Outcome) -> CellFailure:
    """The only cell that failed."""
    (found,) = outcome.report.cells.failed
    return found


def outputs(outcome: Outcome, cell: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(outcome.executed)["cells"][cell - 1]["outputs"]
    return found


def shown(outcome: Outcome, cell: int) -> str:
    """All text that a cell gave, whatever its kind."""
    return json.dumps(outputs(outcome, cell), ensure_ascii=False)
