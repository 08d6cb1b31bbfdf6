"""Makes an attack on real jails and says in sentences what is not as it must be."""

from __future__ import annotations

import dataclasses
import json
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from graders.bundle import LabBundle
from graders.notebook import feedback, intake
from graders.report import Report, Timing
from server.lib.sanitize import notebook_html
from tests.grading import SETUP
from tests.hostile import machine
from tests.hostile.canaries import traces
from tests.hostile.corpus import Attack, Cell
from tests.hostile.labs import LABS, Lab
from tests.hostile.listener import PLACES, listening
from tests.hostile.markup import dangers
from workers.engine import InfrastructureFault, Outcome, grade, render
from workers.sandbox.interface import Sandbox

SEED: Final = 20261130
ALWAYS_RENDERED: Final = ("reading", "forging", "reader")
LOOK_AROUND: Final = """
import os, resource, signal, sys, tempfile
def tree(top):
    for folder, inner, names in os.walk(top):
        inner[:] = [each for each in inner if not os.path.ismount(os.path.join(folder, each))]  # what is shown there
        yield from (os.path.join(folder, each) for each in inner + names)
for top in ("/tmp", "/dev/shm", "/var/tmp", os.getcwd(), tempfile.gettempdir()):
    print(top, sorted(tree(top)))
print(sorted(os.environ.items()))
print([open(f"/proc/sysvipc/{name}").read().count("\\n") for name in ("shm", "sem", "msg")])
print(sorted(line.split()[-1] for line in open("/proc/net/unix") if "@" in line))
print(len([name for name in os.listdir("/proc") if name.isdigit()]), sorted(os.listdir("/proc/self/fd"), key=int)[:3])
print(sys.path, sys.argv, sys.getrecursionlimit(), os.umask(0o22), os.getpriority(os.PRIO_PROCESS, 0))
print([resource.getrlimit(which) for which in range(16)], sorted(map(int, signal.pthread_sigmask(0, []))))
print({number: str(signal.getsignal(number)).partition(" at ")[0] for number in signal.valid_signals()})
"""
"""What the next submission would find changed, were there anything to find."""


@dataclass(frozen=True)
class Verdict:
    """`ours` is what came out, in few words; `troubles` is empty when all was as it must be."""

    attack: Attack
    ours: str
    troubles: tuple[str, ...]
    seconds: float
    outcome: Outcome | None = None


class Campaign:
    """Attacks on one sandbox, one after the other. Close it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.cache = Path(tempfile.mkdtemp(prefix="ridgepoint-hostile-"))
        self._undisturbed: dict[tuple[str, tuple[str, ...]], Outcome] = {}
        machine.be_subreaper(True)
        # Renderings too may come from a process that is kept: it must be there before anybody looks.
        self._page(_notebook([]))

    def close(self) -> None:
        machine.be_subreaper(False)
        machine.reap()
        shutil.rmtree(self.cache, ignore_errors=True)

    def run(self, attack: Attack) -> Verdict:
        following = tuple(cell.source for cell in attack.cells if cell.role == "next")
        if (attack.lab, following) not in self._undisturbed:
            undisturbed = self._next(attack.lab, following)
            if undisturbed.report.score != undisturbed.report.max_score:
                return Verdict(attack, "", (f"an undisturbed submission fails: {_lasting(undisturbed.report)}",), 0.0)
            self._undisturbed[attack.lab, following] = undisturbed
        began = time.monotonic()
        before = machine.look(self.cache)
        troubles: list[str] = []
        ours, outcome = "", None
        try:
            ours, outcome, found = self._heard(attack) if attack.listens else self._attempt(attack)
            troubles += found
        except InfrastructureFault as fault:
            troubles.append(f"the grader itself failed: {fault}")
        troubles += self._follow_up(attack.lab, following)
        troubles += machine.differences(before, machine.look(self.cache))
        return Verdict(attack, ours, tuple(troubles), time.monotonic() - began, outcome)

    def _heard(self, attack: Attack) -> tuple[str, Outcome | None, list[str]]:
        """The attempt while somebody outside listens."""
        with listening(self.cache) as listener:
            ours, outcome, troubles = self._attempt(_told(attack, listener.names))
            return ours, outcome, [*troubles, *(f"it got through to the {place}" for place in listener.callers())]

    def _attempt(self, attack: Attack) -> tuple[str, Outcome | None, list[str]]:
        lab = LABS[attack.lab]
        bundle = lab.limited(**attack.limits)
        if attack.build:
            filename, data = attack.file()
            try:
                taken = intake.normalize(data, filename=filename, max_bytes=bundle.limits.notebook_bytes)
                if taken.lab:
                    intake.check_lab(taken, bundle.lab)
            except intake.Refused as refused:
                told = attack.refused and attack.refused in str(refused)
                return "refused", None, [] if told else [f"refused in other words: {refused}"]
            if attack.refused or attack.named not in ("", taken.filename):
                return "accepted", None, [f"the file was not refused, and its name became {taken.filename!r}"]
            notebook = taken.notebook
        else:
            notebook = _notebook(_cells(attack, lab))
        outcome = self._grade(bundle, notebook)
        troubles = [*_score_troubles(attack, lab, outcome.report), *_other_troubles(attack, outcome)]
        troubles += self._leaks(attack, lab, outcome)
        points = f"{outcome.report.score:g}/{outcome.report.max_score:g}"
        return points, outcome, troubles

    def _grade(self, bundle: LabBundle, notebook: bytes) -> Outcome:
        return grade(
            bundle,
            notebook,
            seed=SEED,
            sandbox=self.sandbox,
            lab_python=settings.LAB_PYTHON,
            cache_dir=self.cache,
            on_progress=lambda _progress: None,
        )

    def _leaks(self, attack: Attack, lab: Lab, outcome: Outcome) -> list[str]:
        """Everything that a student can fetch, searched for every canary."""
        seen = {
            "the student's report": feedback.for_student(outcome.report).to_json(),
            "the executed notebook": outcome.executed,
        }
        troubles = []
        if attack.render or attack.page or attack.never or attack.kind in ALWAYS_RENDERED:
            page = self._page(outcome.executed)
            seen["the page"] = page.encode()
            troubles += dangers(page)
            troubles += [f"the page lacks {text!r}" for text in attack.page if text not in page]
            troubles += [f"the page has {text!r}" for text in attack.never if text in page]
        for where, data in seen.items():
            for canary in lab.canaries:
                troubles += [f"{where} holds {canary} ({form})" for form in traces(data, canary)]
        return troubles

    def _page(self, executed: bytes) -> str:
        return notebook_html(render(executed, sandbox=self.sandbox, lab_python=settings.LAB_PYTHON))

    def _next(self, lab: str, following: tuple[str, ...]) -> Outcome:
        """An honest submission to the same lab, with a look around for leftovers."""
        return self._grade(LABS[lab].bundle, _notebook(_control(LABS[lab], following)))

    def _follow_up(self, lab: str, following: tuple[str, ...]) -> list[str]:
        """Whether the next submission gets what it would have got without a predecessor."""
        undisturbed = self._undisturbed[lab, following]
        try:
            outcome = self._next(lab, following)
        except InfrastructureFault as fault:
            return [f"the next submission can't be graded: {fault}"]
        if _lasting(outcome.report) != _lasting(undisturbed.report):
            ours, theirs = (dataclasses.asdict(_lasting(each.report)) for each in (outcome, undisturbed))
            different = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
            return [f"the next submission's report differs: {different}"]
        if outcome.executed != undisturbed.executed:
            return ["the next submission's outputs differ: " + _first_difference(outcome, undisturbed)]
        if outcome.report.score != outcome.report.max_score:
            return [f"the next submission gets {outcome.report.score:g} points"]
        return []


def _told(attack: Attack, names: Mapping[str, str]) -> Attack:
    def named(source: str) -> str:
        for place in PLACES:
            source = source.replace(f"{{{place}}}", names[place])
        return source

    return dataclasses.replace(
        attack, cells=tuple(dataclasses.replace(cell, source=named(cell.source)) for cell in attack.cells)
    )


def _notebook(cells: list[Cell]) -> bytes:
    made: list[dict[str, Any]] = []
    for number, cell in enumerate(cells, 1):
        made.append({"cell_type": cell.kind, "id": f"c{number}", "metadata": {}, "source": cell.source})
        if cell.kind == "code":
            made[-1] |= {"outputs": [], "execution_count": None}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}).encode()


def _code(*sources: str) -> list[Cell]:
    return [Cell("code", "harm", source) for source in sources]


def _cells(attack: Attack, lab: Lab) -> list[Cell]:
    """The attack's cells before the question that it attacks, between right answers to the others."""
    harm = [cell for cell in attack.cells if cell.role == "harm"]
    after = [cell for cell in attack.cells if cell.role == "after"]
    if attack.answers == "none":
        return [*harm, *after]
    cells = _code(SETUP)
    for name, answer in lab.right.items():
        check = _code(f'grader.check("{name}")')
        if name != lab.attacked:
            cells += _code(answer) + check
        else:
            cells += [*harm, *(_code(lab.wrong) if attack.answers == "wrong" else ()), *check, *after]
    return cells


def _control(lab: Lab, following: tuple[str, ...]) -> list[Cell]:
    answers = [source for name, answer in lab.right.items() for source in (answer, f'grader.check("{name}")')]
    return _code(SETUP, LOOK_AROUND, *following, *answers)


def _score_troubles(attack: Attack, lab: Lab, report: Report) -> list[str]:
    due = {**lab.score(), **attack.score}
    got = {each.name: each.points for each in report.questions}
    return [f"{name} got {got.get(name)} instead of {points:g}" for name, points in due.items() if got[name] != points]


def _other_troubles(attack: Attack, outcome: Outcome) -> list[str]:
    report = outcome.report
    troubles = []
    if attack.status and report.status != attack.status:
        troubles.append(f"the status is {report.status}")
    for name, text in attack.messages:
        first = next(each for each in report.questions if each.name == name).tests[0].message
        if text not in first:
            troubles.append(f"{name} says {first!r} instead of {text!r}")
    said = shown(outcome.executed, quoting=False)
    troubles += [f"the attack did not reach {text!r}: {said[-500:]}" for text in attack.reached if text not in said]
    failed = [each.name for each in report.cells.failed]
    troubles += [f"no cell failed by {name}: {report.cells.failed}" for name in attack.failed if name not in failed]
    troubles += [f"no note says {text!r}" for text in attack.notes if not any(text in note for note in report.notes)]
    return troubles


def shown(executed: bytes, *, quoting: bool = True) -> str:
    """All text that the cells gave, whatever its kind. `quoting`: with tracebacks, which quote the attack's lines."""
    parts: list[str] = []
    for cell in json.loads(executed)["cells"]:
        for output in cell.get("outputs", ()):
            parts.append(output.get("text", ""))
            parts += [value for value in output.get("data", {}).values() if isinstance(value, str)]
            if output["output_type"] == "error":
                parts += output["traceback"] if quoting else [f"{output['ename']}: {output['evalue']}"]
    return "\n".join(parts)


def _lasting(report: Report) -> Report:
    return dataclasses.replace(report, timing=Timing())


def _first_difference(outcome: Outcome, other: Outcome) -> str:
    for ours, theirs in zip(shown(outcome.executed).splitlines(), shown(other.executed).splitlines(), strict=False):
        if ours != theirs:
            return f"{ours[:500]!r} instead of {theirs[:500]!r}"
    return "more lines or fewer"
