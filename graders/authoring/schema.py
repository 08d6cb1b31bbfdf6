"""`course.yaml` and `lab.yaml`: what they may say, read strictly."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from graders.authoring.faults import FaultList
from graders.authoring.fields import PROSE_CHARS, Fields, each, read_mapping
from graders.bundle import GIB, MIB, MODULE, LabLimits

SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
QUESTION: Final = re.compile(r"[a-z][a-z0-9_]{0,40}")
GRADED_KINDS: Final = ("labs", "quizzes")


@dataclass(frozen=True)
class Outcome:
    id: str
    text: str
    line: int


@dataclass(frozen=True)
class Module:
    id: str
    title: str
    summary: str
    lessons: tuple[str, ...]
    labs: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class CourseSpec:
    """`grading` is percent by kind of graded item."""

    title: str
    summary: str
    outcomes: tuple[Outcome, ...]
    prerequisites: tuple[str, ...]
    modules: tuple[Module, ...]
    grading: dict[str, float]
    grading_line: int = 1

    @property
    def labs(self) -> tuple[str, ...]:
        return tuple(lab for module in self.modules for lab in module.labs)


@dataclass(frozen=True)
class QuestionSpec:
    name: str
    title: str
    outcomes: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class LabSpec:
    title: str
    summary: str
    minutes: int
    questions: tuple[QuestionSpec, ...]
    device: str
    limits: LabLimits = field(default_factory=LabLimits)
    versions: dict[str, str] = field(default_factory=dict)
    imports: tuple[str, ...] = ()


def read_course(text: str, faults: FaultList) -> CourseSpec | None:
    top = read_mapping(text, faults, "course.yaml")
    if top is None:
        return None
    outcomes = tuple(_outcome(item) for item in top.items("outcomes", "An outcome"))
    modules = tuple(_module(item) for item in top.items("modules", "A module"))
    _no_twins([(o.id, o.line) for o in outcomes], "outcome", faults)
    _no_twins([(m.id, m.line) for m in modules], "module", faults)
    _no_twins([(lab, m.line) for m in modules for lab in m.labs], "lab", faults)
    _no_twins([(lesson, m.line) for m in modules for lesson in m.lessons], "lesson", faults)
    course = CourseSpec(
        title=top.text("title"),
        summary=top.text("summary", PROSE_CHARS),
        outcomes=outcomes,
        prerequisites=top.texts("prerequisites"),
        modules=modules,
        grading=_grading(top),
        grading_line=top.line_of("grading"),
    )
    top.end()
    return course


def read_lab(text: str, faults: FaultList) -> LabSpec | None:
    top = read_mapping(text, faults, "lab.yaml")
    if top is None:
        return None
    versions = top.mapping("versions", "versions", required=False)
    lab = LabSpec(
        title=top.text("title"),
        summary=top.text("summary", PROSE_CHARS),
        minutes=int(top.number("minutes", 1, 600)),
        questions=_questions(top),
        device=top.text("device", PROSE_CHARS),
        limits=_limits(top, faults),
        versions=each(versions, versions.text) if versions else {},
        imports=top.texts("imports", required=False),
    )
    for name in lab.imports:
        if not MODULE.fullmatch(name):
            top.fault("imports", f"lab.yaml: imports are names of modules, as torch.nn, and {name!r} is none.")
    top.end()
    return lab


def _outcome(item: Fields) -> Outcome:
    outcome = Outcome(id=_slug(item, "id"), text=item.text("text", PROSE_CHARS), line=item.line)
    item.end()
    return outcome


def _module(item: Fields) -> Module:
    module = Module(
        id=_slug(item, "id"),
        title=item.text("title"),
        summary=item.text("summary", PROSE_CHARS),
        lessons=item.texts("lessons", required=False),
        labs=item.texts("labs", required=False),
        line=item.line,
    )
    for name in (*module.lessons, *module.labs):
        if not SLUG.fullmatch(name):
            item.fault("labs" if name in module.labs else "lessons", f"{name!r} must be lower case with hyphens.")
    item.end()
    return module


def _slug(item: Fields, name: str) -> str:
    value = item.text(name)
    if value and not SLUG.fullmatch(value):
        item.fault(name, f"{item.what}: {name} must be lower-case words joined by hyphens, not {value!r}.")
    return value


def _grading(top: Fields) -> dict[str, float]:
    fields = top.mapping("grading", "grading")
    if fields is None:
        return {}
    weights: dict[str, float] = {
        kind: fields.number(kind, 0, 100, default=0.0) for kind in GRADED_KINDS if kind in fields.names
    }
    fields.end()
    if abs(sum(weights.values()) - 100) > 1e-9:
        top.fault("grading", f"The weights of grading are percent: they add up to {sum(weights.values()):g}, not 100.")
    return weights


def _questions(top: Fields) -> tuple[QuestionSpec, ...]:
    fields = top.mapping("questions", "questions")
    if fields is None:
        return ()
    if not fields.names:
        top.fault("questions", "lab.yaml: questions must not be empty.")
    questions = []
    for name in fields.names:
        item = fields.mapping(name, f"Question {name}")
        if item is None:
            continue
        if not QUESTION.fullmatch(name):
            fields.fault(name, f"A question's name is lower-case letters, digits and underscores, not {name!r}.")
        outcomes = item.texts("outcomes")
        if not outcomes and "outcomes" in item.names:
            item.fault("outcomes", f"Question {name} tests no outcome: name at least one.")
        questions.append(QuestionSpec(name, item.text("title"), outcomes, fields.line_of(name)))
        item.end()
    return tuple(questions)


def _limits(top: Fields, faults: FaultList) -> LabLimits:
    fields = top.mapping("limits", "limits", required=False)
    default = LabLimits()
    if fields is None:
        return default
    limits = LabLimits(
        cell_s=fields.number("cell_s", 1, 1800, default=default.cell_s),
        run_s=fields.number("run_s", 1, 3600, default=default.run_s),
        test_s=fields.number("test_s", 0.1, 600, default=default.test_s),
        memory_bytes=fields.size("memory_bytes", 128 * MIB, 256 * GIB, default=default.memory_bytes),
        pids=int(fields.number("pids", 16, 4096, default=default.pids)),
        tmp_bytes=fields.size("tmp_bytes", MIB, 64 * GIB, default=default.tmp_bytes),
        output_bytes=fields.size("output_bytes", 1024, 32 * MIB, default=default.output_bytes),
        notebook_bytes=fields.size("notebook_bytes", 100 * 1024, 64 * MIB, default=default.notebook_bytes),
    )
    fields.end()
    if limits.cell_s > limits.run_s:
        faults.add(fields.line_of("cell_s"), "One cell may not take longer (cell_s) than the whole run (run_s).")
    return limits


def _no_twins(named: list[tuple[str, int]], what: str, faults: FaultList) -> None:
    seen: set[str] = set()
    for name, line in named:
        if name and name in seen:
            faults.add(line, f"The {what} {name!r} is listed twice: keep one.")
        seen.add(name)
