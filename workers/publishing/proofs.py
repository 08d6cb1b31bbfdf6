"""A lab proves itself with the real engine: the solution gets all, the starter none, a planted wrong loses its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from graders.authoring.faults import Fault
from graders.authoring.master import Place
from graders.authoring.notebooks import with_answer
from graders.authoring.source import LabSource, Wrong
from graders.bundle import LabBundle
from graders.notebook import intake
from graders.report import QuestionResult, Report, ReportError
from workers import engine
from workers.publishing.workshop import ROOT, Workshop, code_of, fingerprint, load, store

FIRST_SEED: Final = 1


@dataclass(frozen=True)
class Proof:
    """One notebook to grade; `judge` says what is wrong with its report, nothing when it holds."""

    what: str
    notebook: str
    seed: int
    judge: Callable[[Report], list[Fault]]
    wrong: Wrong | None = None


def prove(
    workshop: Workshop, lab: LabSource, bundle: LabBundle, *, times: int, fresh: bool, say: Callable[[str], None]
) -> list[Fault]:
    """Raises engine.InfrastructureFault. What held once for the same content is not run again, unless `fresh`."""
    faults: list[Fault] = []
    caught: set[tuple[str, str]] = set()
    grading = fingerprint([bundle.digest, _engine_code(), *workshop.lab_packages])
    held = 0
    proofs = list(_proofs(lab, bundle, times))
    for number, proof in enumerate(proofs, 1):
        path = workshop.cache_dir / "proofs" / f"{fingerprint([grading, proof.notebook, str(proof.seed)])}.json"
        report = None if fresh else _known(path)
        held += report is not None
        if report is None:
            report, seconds = _grade(workshop, bundle, proof)
            points = f"{report.score:g} of {report.max_score:g} points in {seconds:.1f} s"
            say(f"{bundle.lab}: {number} of {len(proofs)}: {proof.what}: {points}")
        found = proof.judge(report)
        if not found:
            store(path, report.to_dict())
        faults += found
        if proof.wrong is not None:
            caught |= {
                (question.name, test.name)
                for question in report.questions
                if question.name == proof.wrong.question
                for test in question.tests
                if not test.passed
            }
    if held:
        say(f"{bundle.lab}: {held} proofs held before, with the same content")
    return faults + _uncaught(lab, caught)


def _proofs(lab: LabSource, bundle: LabBundle, times: int) -> Iterator[Proof]:
    for seed in range(FIRST_SEED, FIRST_SEED + times):
        yield Proof(f"solution, seed {seed}", bundle.solution, seed, partial(_all_marks, lab, seed))
    yield Proof("starter", bundle.starter, FIRST_SEED, partial(_no_marks, lab))
    for wrong in lab.wrongs:
        notebook = with_answer(bundle.solution, wrong.question, wrong.code)
        yield Proof(f"wrong/{Path(wrong.file).name}", notebook, FIRST_SEED, partial(_loses_its_own, wrong), wrong)


def _grade(workshop: Workshop, bundle: LabBundle, proof: Proof) -> tuple[Report, float]:
    started = time.monotonic()
    notebook = intake.normalize(
        proof.notebook.encode(), filename="proof.ipynb", max_bytes=bundle.limits.notebook_bytes
    ).notebook
    report = engine.grade(
        bundle,
        notebook,
        seed=proof.seed,
        sandbox=workshop.sandbox,
        lab_python=workshop.lab_python,
        cache_dir=workshop.cache_dir,
        on_progress=lambda progress: None,
    ).report
    return report, time.monotonic() - started


def _known(path: Path) -> Report | None:
    try:
        return Report.from_dict(load(path))
    except ReportError:
        return None


def _engine_code() -> str:
    """What decides a report, apart from the bundle. What authoring makes is in the bundle already."""
    graders = [path for path in (ROOT / "graders").iterdir() if path.name not in ("authoring", "__pycache__")]
    return code_of(*sorted(graders), ROOT / "workers" / "engine.py", ROOT / "workers" / "sandbox")


def _all_marks(lab: LabSource, seed: int, report: Report) -> list[Fault]:
    faults = [
        lab.fault_in_master(
            _place(lab, question.name),
            f"The solution gets {question.points:g} of {question.max_points:g} points in {question.name} "
            f"(seed {seed}): {_failures(question)}",
        )
        for question in report.questions
        if question.points < question.max_points
    ]
    if not faults and report.cells.failed:
        cell = report.cells.failed[0]
        message = f"The solution's code cell {cell.number} fails: {cell.name}: {cell.message}"
        faults.append(lab.fault_in_master(_place(lab, cell.question), message))
    return faults


def _no_marks(lab: LabSource, report: Report) -> list[Fault]:
    return [
        lab.fault_in_master(
            _place(lab, question.name),
            f"The starter already gets {question.points:g} points in {question.name}: "
            f"{', '.join(repr(test.name) for test in question.tests if test.passed and test.points)} passes.",
        )
        for question in report.questions
        if question.points > 0
    ]


def _loses_its_own(wrong: Wrong, report: Report) -> list[Fault]:
    faults = []
    for question in report.questions:
        lost = question.max_points - question.points
        if question.name == wrong.question and lost <= 0:
            message = f"This wrong solution keeps all marks of {question.name}: no test sees that it {wrong.mistake}."
            faults.append(Fault(wrong.file, 1, message))
        elif question.name != wrong.question and lost > 0:
            message = f"This wrong solution of {wrong.question} also loses {lost:g} points in {question.name}: "
            faults.append(Fault(wrong.file, 1, message + _failures(question)))
    return faults


def _uncaught(lab: LabSource, caught: set[tuple[str, str]]) -> list[Fault]:
    planted = {wrong.question for wrong in lab.wrongs}
    return [
        lab.fault_in_master(
            test.place, f"No planted wrong solution of {question.name} fails the hidden test {test.name!r}: plant one."
        )
        for question in lab.master.questions
        if question.name in planted
        for test in question.tests
        if test.hidden and (question.name, test.name) not in caught
    ]


def _failures(question: QuestionResult) -> str:
    return "; ".join(f"{test.name!r} fails: {test.message}" for test in question.tests if not test.passed)


def _place(lab: LabSource, question: str | None) -> Place:
    return next((item.place for item in lab.master.questions if item.name == question), Place(0))
