"""The one result type of grading: strict, versioned, plain JSON.

A report crosses two trust boundaries (examiner jail to worker, database to page), so reading one back
checks every type and bound; nothing in it is trusted for having been written by us.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Final, Literal

from graders.fields import Fields, parse_json, text

REPORT_VERSION: Final = 1
MAX_REPORT_BYTES: Final = 1_000_000
MAX_MESSAGE_CHARS: Final = 4_000

Status = Literal["complete", "partial"]
Visibility = Literal["public", "hidden"]
FailureKind = Literal["error", "timeout", "memory", "died", "not_run"]

STATUSES: Final = ("complete", "partial")
VISIBILITIES: Final = ("public", "hidden")
FAILURE_KINDS: Final = ("error", "timeout", "memory", "died", "not_run")


class ReportError(ValueError):
    """The bytes are not a report that we would record."""


@dataclass(frozen=True)
class TestResult:
    """One test case. `message` is what may be said about it; feedback decides to whom."""

    __test__: ClassVar = False  # the name makes pytest take it for a test

    name: str
    visibility: Visibility
    passed: bool
    points: float
    max_points: float
    message: str = ""


@dataclass(frozen=True)
class QuestionResult:
    name: str
    points: float
    max_points: float
    tests: tuple[TestResult, ...]
    title: str = ""


@dataclass(frozen=True)
class CellFailure:
    """A code cell of the student's that did not finish. `number` counts all code cells from 1, as the page does."""

    number: int
    question: str | None
    kind: FailureKind
    name: str
    message: str


@dataclass(frozen=True)
class Cells:
    total: int
    executed: int
    failed: tuple[CellFailure, ...] = ()


@dataclass(frozen=True)
class Timing:
    """Seconds. `queued_s` and `started_s` are filled in by the worker; the others by the examiner."""

    queued_s: float = 0.0
    started_s: float = 0.0
    cells_s: float = 0.0
    tests_s: float = 0.0
    total_s: float = 0.0


@dataclass(frozen=True)
class Report:
    """How one notebook was graded. `score` is the sum of the questions' points."""

    lab: str
    bundle: str
    status: Status
    score: float
    max_score: float
    questions: tuple[QuestionResult, ...]
    cells: Cells
    timing: Timing = field(default_factory=Timing)
    device: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    version: int = REPORT_VERSION

    def to_dict(self) -> dict[str, Any]:
        return {name: _plain(value) for name, value in asdict(self).items()}

    def to_json(self) -> bytes:
        """Canonical UTF-8 JSON.

        Raises:
            ReportError: the report is too large or holds a number that JSON lacks.
        """
        try:
            data = json.dumps(self.to_dict(), allow_nan=False, sort_keys=True, ensure_ascii=False).encode()
        except (ValueError, UnicodeEncodeError) as error:
            raise ReportError(f"The report can't be written: {error}.") from error
        if len(data) > MAX_REPORT_BYTES:
            raise ReportError(f"The report has {len(data)} bytes; {MAX_REPORT_BYTES} are allowed.")
        return data

    @classmethod
    def from_json(cls, data: bytes) -> Report:
        """Read a report and check all of it.

        Raises:
            ReportError: anything is missing, unknown, of another type, out of bounds or inconsistent.
        """
        if len(data) > MAX_REPORT_BYTES:
            raise ReportError(f"The report has {len(data)} bytes; {MAX_REPORT_BYTES} are allowed.")
        return cls.from_dict(parse_json(data, "The report", ReportError))

    @classmethod
    def from_dict(cls, raw: object) -> Report:
        """As `from_json`, from JSON already parsed."""
        top = Fields(raw, "report", ReportError)
        if top.integer("version", 1, 1_000) != REPORT_VERSION:
            raise ReportError("The report has a version that this program does not know.")
        report = cls(
            lab=top.text("lab", 200),
            bundle=top.text("bundle", 200),
            status=top.one_of("status", STATUSES),
            score=top.number("score"),
            max_score=top.number("max_score"),
            questions=tuple(_question(item) for item in top.items("questions", 200)),
            cells=_cells(top.value("cells")),
            timing=_timing(top.value("timing")),
            device=top.texts("device"),
            versions=top.texts("versions"),
            limits=top.texts("limits"),
            notes=tuple(text(item, "report.notes", MAX_MESSAGE_CHARS, ReportError) for item in top.items("notes", 200)),
        )
        top.end()
        report._check_sums()
        return report

    def _check_sums(self) -> None:
        names = [question.name for question in self.questions]
        if len(set(names)) != len(names):
            raise ReportError("Two questions of the report have the same name.")
        for question in self.questions:
            _within(question.points, question.max_points, question.name)
            for test in question.tests:
                _within(test.points, test.max_points, f"{question.name}/{test.name}")
        if not math.isclose(self.score, sum(q.points for q in self.questions), abs_tol=1e-6):
            raise ReportError("The report's score is not the sum of its questions.")
        if not math.isclose(self.max_score, sum(q.max_points for q in self.questions), abs_tol=1e-6):
            raise ReportError("The report's maximum is not the sum of its questions.")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _within(points: float, most: float, where: str) -> None:
    if not 0 <= points <= most + 1e-9:
        raise ReportError(f"{where} has {points} points of {most}.")


def _question(raw: object) -> QuestionResult:
    fields = Fields(raw, "question", ReportError)
    question = QuestionResult(
        name=fields.text("name", 100),
        title=fields.text("title", 300),
        points=fields.number("points"),
        max_points=fields.number("max_points"),
        tests=tuple(_test(item) for item in fields.items("tests", 200)),
    )
    fields.end()
    return question


def _test(raw: object) -> TestResult:
    fields = Fields(raw, "test", ReportError)
    test = TestResult(
        name=fields.text("name", 300),
        visibility=fields.one_of("visibility", VISIBILITIES),
        passed=fields.boolean("passed"),
        points=fields.number("points"),
        max_points=fields.number("max_points"),
        message=fields.text("message", MAX_MESSAGE_CHARS),
    )
    fields.end()
    return test


def _cells(raw: object) -> Cells:
    fields = Fields(raw, "cells", ReportError)
    cells = Cells(
        total=fields.integer("total", 0, 1_000_000),
        executed=fields.integer("executed", 0, 1_000_000),
        failed=tuple(_failure(item) for item in fields.items("failed", 2_000)),
    )
    fields.end()
    if cells.executed > cells.total or any(failure.number > cells.total for failure in cells.failed):
        raise ReportError("The report names more cells than the notebook has.")
    return cells


def _failure(raw: object) -> CellFailure:
    fields = Fields(raw, "failed cell", ReportError)
    failure = CellFailure(
        number=fields.integer("number", 1, 1_000_000),
        question=fields.optional_text("question", 100),
        kind=fields.one_of("kind", FAILURE_KINDS),
        name=fields.text("name", 200),
        message=fields.text("message", MAX_MESSAGE_CHARS),
    )
    fields.end()
    return failure


def _timing(raw: object) -> Timing:
    fields = Fields(raw, "timing", ReportError)
    timing = Timing(
        **{name: fields.number(name) for name in ("queued_s", "started_s", "cells_s", "tests_s", "total_s")}
    )
    fields.end()
    return timing
