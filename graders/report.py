"""The one result type of grading: strict, versioned, plain JSON.

A report crosses two trust boundaries (examiner jail to worker, database to page), so reading one back
checks every type and bound; nothing in it is trusted for having been written by us.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

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
        return _plain(asdict(self))

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
        try:
            raw = json.loads(data, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ReportError(f"The report is not JSON: {error}.") from error
        return cls.from_dict(raw)

    @classmethod
    def from_dict(cls, raw: object) -> Report:
        """As `from_json`, from JSON already parsed."""
        top = _Reader(raw, "report")
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
            notes=tuple(_text(item, "notes", MAX_MESSAGE_CHARS) for item in top.items("notes", 200)),
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


def _no_constant(name: str) -> float:
    raise ReportError(f"{name} is not a number that a report may hold.")


def _within(points: float, most: float, where: str) -> None:
    if not 0 <= points <= most + 1e-9:
        raise ReportError(f"{where} has {points} points of {most}.")


def _text(value: object, where: str, most: int) -> str:
    if type(value) is not str or len(value) > most:
        raise ReportError(f"{where} is not a text of at most {most} characters.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ReportError(f"{where} is not valid Unicode.") from error
    return value


class _Reader:
    """Takes the fields of one JSON object by name and type; `end` refuses what was left over."""

    def __init__(self, raw: object, where: str) -> None:
        if type(raw) is not dict:
            raise ReportError(f"{where} is not an object.")
        self._raw: dict[str, object] = raw
        self._where = where
        self._taken: set[str] = set()

    def value(self, name: str) -> object:
        if name not in self._raw:
            raise ReportError(f"{self._where} lacks {name}.")
        self._taken.add(name)
        return self._raw[name]

    def text(self, name: str, most: int) -> str:
        return _text(self.value(name), f"{self._where}.{name}", most)

    def optional_text(self, name: str, most: int) -> str | None:
        return None if self.value(name) is None else self.text(name, most)

    def one_of(self, name: str, choices: tuple[str, ...]) -> Any:
        value = self.text(name, 40)
        if value not in choices:
            raise ReportError(f"{self._where}.{name} is {value!r}.")
        return value

    def boolean(self, name: str) -> bool:
        value = self.value(name)
        if type(value) is not bool:
            raise ReportError(f"{self._where}.{name} is not true or false.")
        return value

    def number(self, name: str) -> float:
        value = self.value(name)
        if type(value) not in (int, float) or not math.isfinite(value) or not 0 <= value <= 1e12:  # type: ignore[arg-type, operator]
            raise ReportError(f"{self._where}.{name} is not a number from 0 to 1e12.")
        return float(value)  # type: ignore[arg-type]

    def integer(self, name: str, least: int, most: int) -> int:
        value = self.value(name)
        if type(value) is not int or not least <= value <= most:
            raise ReportError(f"{self._where}.{name} is not an integer from {least} to {most}.")
        return value

    def items(self, name: str, most: int) -> list[object]:
        value = self.value(name)
        if type(value) is not list or len(value) > most:
            raise ReportError(f"{self._where}.{name} is not a list of at most {most}.")
        return value

    def texts(self, name: str) -> dict[str, str]:
        value = self.value(name)
        if type(value) is not dict or len(value) > 100:
            raise ReportError(f"{self._where}.{name} is not an object of at most 100 texts.")
        return {_text(k, name, 100): _text(v, f"{name}.{k}", 1_000) for k, v in value.items()}

    def end(self) -> None:
        unknown = sorted(set(self._raw) - self._taken)
        if unknown:
            raise ReportError(f"{self._where} has an unknown field {unknown[0][:40]!r}.")


def _question(raw: object) -> QuestionResult:
    fields = _Reader(raw, "question")
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
    fields = _Reader(raw, "test")
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
    fields = _Reader(raw, "cells")
    cells = Cells(
        total=fields.integer("total", 0, 1_000_000),
        executed=fields.integer("executed", 0, 1_000_000),
        failed=tuple(_failure(item) for item in fields.items("failed", 2_000)),
    )
    fields.end()
    return cells


def _failure(raw: object) -> CellFailure:
    fields = _Reader(raw, "failed cell")
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
    fields = _Reader(raw, "timing")
    timing = Timing(
        **{name: fields.number(name) for name in ("queued_s", "started_s", "cells_s", "tests_s", "total_s")}
    )
    fields.end()
    return timing
