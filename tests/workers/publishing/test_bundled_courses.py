"""Every lab that we ship, graded for real: what `course check` proves one by one, here in rounds.

The n-th round plants the n-th wrong answer of every question that has so many, and leaves the others their solution. So
each planted answer is graded in every run of the tests, and a slip that reaches into another question shows wherever
that one has fewer wrong answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from graders.authoring.notebooks import with_answer
from graders.authoring.source import LabSource, Wrong, read_source
from graders.bundle import LabBundle
from graders.notebook.intake import normalize
from graders.report import Report
from tests.workers.publishing.conftest import LIBRARY
from workers import engine
from workers.publishing import Workshop
from workers.publishing.compile import compile_source
from workers.publishing.course import compile_course
from workers.sandbox.interface import Sandbox

pytestmark = pytest.mark.slow

COURSES = settings.ROOT / "courses"
SLUGS = sorted(path.parent.name for path in COURSES.glob("*/course.yaml"))
SEED = 20


def _labs() -> Iterator[tuple[str, LabSource]]:
    for slug in SLUGS:
        course, _faults = read_source(COURSES, slug)
        assert course is not None
        yield from ((slug, lab) for lab in course.labs.values())


def _rounds(lab: LabSource) -> list[tuple[Wrong, ...]]:
    by_question: dict[str, list[Wrong]] = defaultdict(list)
    for wrong in lab.wrongs:
        by_question[wrong.question].append(wrong)
    longest = max(map(len, by_question.values()))
    return [tuple(wrongs[n] for wrongs in by_question.values() if n < len(wrongs)) for n in range(longest)]


LABS = [pytest.param(slug, lab, id=f"{slug}/{lab.name}") for slug, lab in _labs()]
ROUNDS = [
    pytest.param(slug, lab, planted, id=f"{slug}/{lab.name}-round-{number}")
    for slug, lab in _labs()
    for number, planted in enumerate(_rounds(lab), 1)
]


@pytest.fixture(scope="session")
def bundled(jails: Sandbox, shared_cache: Path) -> Workshop:
    return Workshop(jails, settings.LAB_PYTHON, COURSES, LIBRARY, shared_cache)


def _grade(workshop: Workshop, bundle: LabBundle, notebook: str) -> Report:
    intake = normalize(notebook.encode(), filename="proof.ipynb", max_bytes=bundle.limits.notebook_bytes)
    return engine.grade(
        bundle,
        intake.notebook,
        seed=SEED,
        sandbox=workshop.sandbox,
        lab_python=workshop.lab_python,
        cache_dir=workshop.cache_dir,
        on_progress=lambda progress: None,
    ).report


def _lost(report: Report) -> dict[str, str]:
    """What each question lost marks for."""
    return {
        question.name: "; ".join(f"{test.name}: {test.message}" for test in question.tests if not test.passed)
        for question in report.questions
        if question.points < question.max_points
    }


@pytest.mark.parametrize("slug", SLUGS)
def test_it_compiles_without_a_fault(bundled: Workshop, slug: str) -> None:
    assert compile_course(bundled, slug).manifest["slug"] == slug


@pytest.mark.parametrize(("slug", "lab"), LABS)
def test_its_solution_gets_all_marks(bundled: Workshop, slug: str, lab: LabSource) -> None:
    bundle = compile_source(bundled, slug, lab)
    assert _lost(_grade(bundled, bundle, bundle.solution)) == {}


@pytest.mark.parametrize(("slug", "lab"), LABS)
def test_its_starter_gets_none(bundled: Workshop, slug: str, lab: LabSource) -> None:
    bundle = compile_source(bundled, slug, lab)
    assert _grade(bundled, bundle, bundle.starter).score == 0


@pytest.mark.parametrize(("slug", "lab", "planted"), ROUNDS)
def test_planted_wrong_answers_lose_marks_where_they_are(
    bundled: Workshop, slug: str, lab: LabSource, planted: tuple[Wrong, ...]
) -> None:
    bundle = compile_source(bundled, slug, lab)
    notebook = bundle.solution
    for wrong in planted:
        notebook = with_answer(notebook, wrong.question, wrong.code)
    lost = _lost(_grade(bundled, bundle, notebook))
    assert set(lost) == {wrong.question for wrong in planted}, lost
