"""One case: a file that a student hands in, what they are told, and what they should have been told."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import nbformat
from django.conf import settings

from graders.notebook import intake
from graders.notebook.feedback import for_student
from graders.report import Report
from tests import cells
from tests.grading import sandbox
from tests.notebooks.lab import CANARY, LAB, QUESTIONS, answered, lab
from workers.engine import Outcome, grade

CASES: Final = Path(__file__).parent / "cases"
KEYS: Final = ("seen", "file", "limits", "refused", "score", "sees", "never", "shows", "status")


@dataclass(frozen=True)
class Told:
    """What the student is told: a refusal or a report, as their page has it."""

    refused: str = ""
    report: Report | None = None
    notes: tuple[str, ...] = ()
    executed: bytes = b""

    @property
    def points(self) -> dict[str, float]:
        return {question.name: question.points for question in self.report.questions} if self.report else {}

    @property
    def about_the_run(self) -> tuple[str, ...]:
        """Notes and failed cells: what a notebook that is as it should be has none of."""
        failed = self.report.cells.failed if self.report else ()
        return (*self.notes, *(failure.message for failure in failed))

    def about(self, name: str) -> tuple[str, ...]:
        """What the question's failed checks say, the first first."""
        questions = self.report.questions if self.report else ()
        return tuple(
            test.message
            for question in questions
            if question.name == name
            for test in question.tests
            if not test.passed
        )

    @property
    def everything(self) -> str:
        return "\n".join(
            [self.refused, *self.about_the_run, *(line for name in QUESTIONS for line in self.about(name))]
        )


class Case:
    def __init__(self, path: Path) -> None:
        self.name = str(path.relative_to(CASES).with_suffix(""))
        self.text = cells.read(path, KEYS)

    @property
    def executes(self) -> bool:
        return not self.text.value("refused")

    def handed_in(self) -> tuple[bytes, str]:
        """The file's bytes and name."""
        notebook: Any = _placed(answered(), self.text.cells)
        if self.text.build is not None:
            notebook = self.text.build(notebook)
        data = notebook if isinstance(notebook, bytes) else json.dumps(notebook, indent=1, ensure_ascii=False).encode()
        return data, self.text.value("file", "lab.ipynb")

    def told(self) -> Told:
        """As the service does it: intake, then both jails, then the student's copy of the report."""
        data, filename = self.handed_in()
        limits = _pairs(self.text.value("limits"))
        bundle = lab(tuple((name, float(value) if name.endswith("_s") else int(value)) for name, value in limits))
        try:
            taken = intake.normalize(data, filename=filename, max_bytes=bundle.limits.notebook_bytes)
            taken = intake.check_lab(taken, LAB, starter=bundle.starter)
        except intake.Refused as refusal:
            return Told(refused=str(refusal))
        outcome: Outcome = grade(
            bundle,
            taken.notebook,
            seed=20261130,
            sandbox=sandbox(),
            lab_python=settings.LAB_PYTHON,
            cache_dir=settings.CACHE_DIR,
            on_progress=lambda _progress: None,
        )
        report = for_student(outcome.report)
        notes = (*taken.notes, *(note for note in report.notes if note not in taken.notes))
        return Told(report=report, notes=notes, executed=outcome.executed)

    def faults(self, told: Told) -> list[str]:
        """What is wrong with what the student was told; nothing, if all is well."""
        if expected := self.text.value("refused"):
            found = [] if told.refused == expected else [f"refused with {told.refused!r}, not {expected!r}"]
            return found + ([] if told.refused.count(". ") == 0 else ["more than one sentence"])
        if told.refused:
            return [f"refused with {told.refused!r}"]
        return [*self._wrong_points(told), *self._wrong_sentences(told), *self._wrong_notebook(told)]

    def _wrong_points(self, told: Told) -> Iterator[str]:
        expected = dict.fromkeys(QUESTIONS, 2.0) | {
            name: float(value) for name, value in _pairs(self.text.value("score"))
        }
        if told.points != expected:
            yield f"scored {told.points}, not {expected}"
        assert told.report is not None
        if told.report.status != self.text.value("status", "complete"):
            yield f"is {told.report.status}"

    def _wrong_sentences(self, told: Told) -> Iterator[str]:
        sees = self.text.values("sees")
        for part in sees:
            if not any(part in sentence for sentence in told.about_the_run):
                yield f"nowhere says {part!r}"
        for sentence in told.about_the_run:
            if not any(part in sentence for part in sees):
                yield f"unexpectedly says {sentence!r}"
        for name, part in self.text.by_argument("sees"):
            if not any(part in message for message in told.about(name)[:1]):
                yield f"says of {name} {told.about(name)[:1]}, not {part!r}"
        for part in (*self.text.values("never"), CANARY, "Traceback (most recent"):
            if part in told.everything:
                yield f"says {part!r}"

    def _wrong_notebook(self, told: Told) -> Iterator[str]:
        nbformat.validate(nbformat.reads(told.executed.decode(), as_version=4))
        outputs = json.dumps([cell.get("outputs") for cell in json.loads(told.executed)["cells"]], ensure_ascii=False)
        for part in self.text.values("shows"):
            if part not in outputs:
                yield f"the executed notebook does not show {part!r}"
        if CANARY in told.executed.decode():
            yield "the executed notebook shows a hidden test"


@functools.cache
def all_cases() -> tuple[Case, ...]:
    return tuple(Case(path) for path in sorted(CASES.glob("*/*.py")))


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (pair.partition("=") for pair in text.split())]


def _placed(notebook: dict[str, Any], placed: tuple[cells.Cell, ...]) -> dict[str, Any]:
    """A cell titled by another's id takes its place; `before ID`, `after ID` and `end` add one."""
    for number, cell in enumerate(placed):
        title, kind = cell.title, "code"
        if title.startswith("[markdown]"):
            title, kind = title.removeprefix("[markdown]").strip(), "markdown"
        *where, anchor = title.split()
        ids = [each["id"] for each in notebook["cells"]]
        made = {"cell_type": kind, "id": f"own-{number}", "metadata": {}, "source": cell.source}
        if kind == "code":
            made |= {"execution_count": None, "outputs": []}
        if anchor == "end":
            notebook["cells"].append(made)
        elif where in (["before"], ["after"]):
            notebook["cells"].insert(ids.index(anchor) + (where == ["after"]), made)
        elif not where:
            old = notebook["cells"][ids.index(anchor)]
            notebook["cells"][ids.index(anchor)] = made | {"id": anchor, "metadata": old["metadata"]}
        else:
            raise ValueError(f"{cell.title!r} is no place in the notebook.")
    return notebook
