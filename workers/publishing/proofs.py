"""A lab proves itself with the real engine: the solution gets all, the starter none, a planted wrong loses its own."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
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
from workers import engine, jails
from workers.prepared import PrimeFailed
from workers.publishing.workshop import ROOT, Workshop, code_of, fingerprint, load, store
from workers.sandbox.interface import SandboxUnavailable

FIRST_SEED: Final = 1


@dataclass(frozen=True)
class Proof:
    """One notebook to grade; `judge` says what is wrong with its report, nothing when it holds."""

    what: str
    notebook: str
    seed: int
    judge: Callable[[Report], list[Fault]]
    wrong: Wrong | None = None


@dataclass(frozen=True)
class Prover:
    """Grades proofs of one lab. What held once for the same content is not run again, unless `fresh`."""

    workshop: Workshop
    lab: LabSource
    bundle: LabBundle
    fresh: bool
    say: Callable[[str], None]
    stop: threading.Event = field(default_factory=threading.Event)

    def prove(self, times: int, jobs: int) -> list[Fault]:
        """Raises engine.InfrastructureFault."""
        if fault := self._prime_fault():
            return [fault]
        proofs = list(_proofs(self.lab, self.bundle, times))
        names = [
            f"{self.bundle.lab}: {number} of {len(proofs)}: {proof.what}" for number, proof in enumerate(proofs, 1)
        ]
        content = fingerprint([self.bundle.digest, _engine_code(), *self.workshop.lab_packages])
        with ThreadPoolExecutor(jobs) as pool:
            try:
                held = list(pool.map(partial(self._hold, content), names, proofs))
            except BaseException:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
        if known := sum(result.known for result in held):
            self.say(f"{self.bundle.lab}: {known} proofs held before, with the same content")
        caught = {case for proof, result in zip(proofs, held, strict=True) for case in _caught(proof, result.report)}
        return [fault for result in held for fault in result.faults] + _uncaught(self.lab, caught)

    def _prime_fault(self) -> Fault | None:
        """A student's run goes on when prime.py fails; its author is told."""
        workshop = self.workshop
        try:
            jails.prime(
                self.bundle,
                sandbox=workshop.sandbox,
                lab_python=workshop.lab_python,
                cache_dir=workshop.cache_dir,
            )
        except PrimeFailed as error:
            return Fault(f"{self.lab.folder}/prime.py", 1, str(error))
        except (OSError, ValueError, SandboxUnavailable) as error:
            raise engine.InfrastructureFault(f"What prime.py compiles can't be kept: {error}") from error
        return None

    def _hold(self, content: str, name: str, proof: Proof) -> Held:
        key = fingerprint([content, proof.notebook, str(proof.seed)])
        path = self.workshop.cache_dir / "proofs" / f"{key}.json"
        if not self.fresh and (report := _known(path)) is not None:
            return Held(report, proof.judge(report), known=True)
        report, seconds = self._grade(proof)
        self.say(f"{name}: {report.score:g} of {report.max_score:g} points in {seconds:.1f} s")
        faults = proof.judge(report)
        if not faults:
            store(path, json.dumps(report.to_dict()).encode())
        return Held(report, faults)

    def _grade(self, proof: Proof) -> tuple[Report, float]:
        started = time.monotonic()
        notebook = intake.normalize(
            proof.notebook.encode(), filename="proof.ipynb", max_bytes=self.bundle.limits.notebook_bytes
        ).notebook
        outcome = engine.grade(
            self.bundle,
            notebook,
            seed=proof.seed,
            sandbox=self.workshop.sandbox,
            lab_python=self.workshop.lab_python,
            cache_dir=self.workshop.cache_dir,
            on_progress=lambda progress: None,
            should_stop=self.stop.is_set,
        )
        return outcome.report, time.monotonic() - started


@dataclass(frozen=True)
class Held:
    """A proof's report and what is wrong with it; `known` when it was not graded now."""

    report: Report
    faults: list[Fault]
    known: bool = False


def _proofs(lab: LabSource, bundle: LabBundle, times: int) -> Iterator[Proof]:
    for seed in range(FIRST_SEED, FIRST_SEED + times):
        yield Proof(f"solution, seed {seed}", bundle.solution, seed, partial(_all_marks, lab, seed))
    yield Proof("starter", bundle.starter, FIRST_SEED, partial(_no_marks, lab))
    for wrong in lab.wrongs:
        notebook = with_answer(bundle.solution, wrong.question, wrong.code)
        yield Proof(f"wrong/{Path(wrong.file).name}", notebook, FIRST_SEED, partial(_loses_its_own, wrong), wrong)


def _known(path: Path) -> Report | None:
    try:
        return Report.from_dict(load(path))
    except ReportError:
        return None


def _engine_code() -> str:
    """What decides a report, apart from the bundle. What authoring makes is in the bundle already."""
    graders = [path for path in (ROOT / "graders").iterdir() if path.name not in ("authoring", "__pycache__")]
    workers = ("engine.py", "jails.py", "prepared.py", "pool", "sandbox")
    return code_of(*sorted(graders), *(ROOT / "workers" / name for name in workers))


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


def _caught(proof: Proof, report: Report) -> set[tuple[str, str]]:
    """The test cases of its own question that a planted wrong solution fails."""
    return {
        (question.name, test.name)
        for question in report.questions
        if proof.wrong is not None and question.name == proof.wrong.question
        for test in question.tests
        if not test.passed
    }


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
