"""A report is read back strictly, whoever wrote it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.report import (
    FAILURE_KINDS,
    MAX_REPORT_BYTES,
    CellFailure,
    Cells,
    QuestionResult,
    Report,
    ReportError,
    TestResult,
    Timing,
)
from tests.graders.changes import put
from tests.graders.reports import question, report, result

WHOLE = report(
    question("q1", result("a"), result("b", "hidden", passed=False, message="Think about units.")),
    question("q2", result("c")),
    failed=(CellFailure(4, "q1", "timeout", "", "60 seconds"), CellFailure(5, None, "error", "ValueError", "bad")),
)


def read(change: Callable[[Any], None]) -> Report:
    raw = copy.deepcopy(WHOLE.to_dict())
    change(raw)
    return Report.from_json(json.dumps(raw).encode())


def test_it_comes_back_as_it_was() -> None:
    assert Report.from_json(WHOLE.to_json()) == WHOLE


def test_its_json_has_the_fields_that_the_command_line_promises() -> None:
    raw = json.loads(WHOLE.to_json())
    assert {"status", "score", "max_score", "questions", "cells", "timing", "device", "versions"} <= raw.keys()
    assert raw["questions"][0].keys() >= {"name", "points", "max_points", "tests"}
    assert raw["questions"][0]["tests"][0].keys() == {"name", "visibility", "passed", "points", "max_points", "message"}
    assert raw["timing"].keys() == {"queued_s", "started_s", "cells_s", "tests_s", "total_s"}
    assert raw["cells"].keys() == {"total", "executed", "failed"}


NUMBERS: list[tuple[Any, ...]] = [
    ("score",),
    ("max_score",),
    ("questions", 0, "points"),
    ("questions", 0, "max_points"),
    ("questions", 0, "tests", 0, "points"),
    ("questions", 0, "tests", 0, "max_points"),
    ("timing", "cells_s"),
]


@pytest.mark.parametrize("path", NUMBERS)
@pytest.mark.parametrize("value", [True, False, -1, -1e-9, "2", None, [], {}, 10**400, 1e13])
def test_what_is_no_number_in_bounds_is_refused(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(ReportError, match="is not a number"):
        read(put(value, *path))


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_json_lacks_is_refused(constant: str) -> None:
    with pytest.raises(ReportError, match=constant):
        Report.from_json(WHOLE.to_json().replace(b'"score": 2.0', b'"score": ' + constant.encode()))


@pytest.mark.parametrize("digits", [b"1e400", b"9" * 400, b"9" * 5_000])
def test_a_number_without_end_is_refused(digits: bytes) -> None:
    with pytest.raises(ReportError):
        Report.from_json(WHOLE.to_json().replace(b'"score": 2.0', b'"score": ' + digits))


@pytest.mark.parametrize(
    "path", [("cells", "total"), ("cells", "executed"), ("cells", "failed", 0, "number"), ("version",)]
)
@pytest.mark.parametrize("value", [True, 1.0, -1, "1", None, 10**9])
def test_what_is_no_count_is_refused(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(ReportError, match="is not an integer"):
        read(put(value, *path))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (put(3.0, "questions", 0, "points"), "q1 has 3.0 points of 2.0"),
        (put(1.5, "questions", 0, "tests", 0, "points"), "q1/a has 1.5 points of 1.0"),
        (put(1.0, "score"), "not the sum"),
        (put(4.0, "max_score"), "not the sum"),
        (put("q1", "questions", 1, "name"), "same name"),
        (put(2, "version"), "does not know"),
        (put("done", "status"), "status is 'done'"),
        (put("secret", "questions", 0, "tests", 0, "visibility"), "visibility is 'secret'"),
        (put("tired", "cells", "failed", 0, "kind"), "kind is 'tired'"),
        (put(1, "questions", 0, "tests", 0, "passed"), "not true or false"),
        (put("true", "questions", 0, "tests", 0, "passed"), "not true or false"),
        (put(10, "cells", "executed"), "more cells than the notebook has"),
        (put(10, "cells", "failed", 0, "number"), "more cells than the notebook has"),
        (put(3, "lab"), "not a text"),
        (put("x" * 4_001, "questions", 0, "tests", 0, "message"), "not a text of at most 4000"),
        (put("\ud800", "notes", 0), "not valid Unicode"),
        (put({"a": 1}, "device"), "not a text"),
        (put({"\ud800": "x"}, "versions"), "not valid Unicode"),
        (put({str(n): "" for n in range(101)}, "limits"), "at most 100"),
        (put([], "device"), "not an object"),
        (put({}, "questions"), "not a list"),
        (put([3], "questions"), "not an object"),
        (put([{}] * 201, "questions"), "not a list of at most 200"),
        (put(None, "timing"), "not an object"),
        (put(1, "grade"), "unknown field 'grade'"),
        (put(1, "questions", 0, "bonus"), "unknown field"),
        (put(1, "questions", 0, "tests", 0, "traceback"), "unknown field"),
        (put(1, "cells", "skipped"), "unknown field"),
        (put(1, "cells", "failed", 0, "source"), "unknown field"),
        (put(1, "timing", "gpu_s"), "unknown field"),
        (lambda raw: raw.pop("score"), "lacks score"),
        (lambda raw: raw["questions"][0]["tests"][0].pop("message"), "lacks message"),
    ],
)
def test_what_is_inconsistent_missing_or_unknown_is_refused(change: Callable[[Any], None], reason: str) -> None:
    with pytest.raises(ReportError, match=reason):
        read(change)


def test_zero_points_are_zero_points() -> None:
    def fail(raw: Any) -> None:
        raw["questions"][1]["points"] = raw["questions"][1]["tests"][0]["points"] = 0
        raw["score"] = 1

    assert read(fail).score == 1.0


def test_minus_zero_is_zero() -> None:
    assert str(read(put(-0.0, "timing", "cells_s")).timing.cells_s) == "0.0"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b"[" * 100_000,
        b"{}",
        b'{"version": 1, "version": 1}',
        b"x" * (MAX_REPORT_BYTES + 1),
    ],
)
def test_what_is_no_report_is_refused(data: bytes) -> None:
    with pytest.raises(ReportError):
        Report.from_json(data)


def test_a_field_that_stands_twice_is_refused() -> None:
    with pytest.raises(ReportError, match="same field twice"):
        Report.from_json(WHOLE.to_json().replace(b'"score": 2.0', b'"score": 2.0, "score": 2.0'))


@pytest.mark.parametrize(
    "changes", [{"score": float("nan")}, {"notes": ("\ud800",)}, {"notes": ("x" * MAX_REPORT_BYTES,)}]
)
def test_what_could_not_be_read_back_is_not_written(changes: dict[str, Any]) -> None:
    with pytest.raises(ReportError):
        report(**changes).to_json()


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
points = st.floats(0, 100)


@st.composite
def any_test_result(draw: st.DrawFn) -> TestResult:
    most = draw(points)
    return TestResult(
        name=draw(words),
        visibility=draw(st.sampled_from(["public", "hidden"])),
        passed=draw(st.booleans()),
        points=draw(st.floats(0, most)),
        max_points=most,
        message=draw(words),
    )


@st.composite
def any_report(draw: st.DrawFn) -> Report:
    names = draw(st.lists(words, max_size=4, unique=True))
    questions = []
    for name in names:
        most = draw(points)
        tests = tuple(draw(st.lists(any_test_result(), max_size=3)))
        questions.append(QuestionResult(name, draw(st.floats(0, most)), most, tests, draw(words)))
    total = draw(st.integers(1, 1_000))
    failures = st.builds(
        CellFailure, st.integers(1, total), st.none() | words, st.sampled_from(FAILURE_KINDS), words, words
    )
    texts = st.dictionaries(words, words, max_size=3)
    return Report(
        lab=draw(words),
        bundle=draw(words),
        status=draw(st.sampled_from(["complete", "partial"])),
        score=sum(q.points for q in questions) + 0.0,
        max_score=sum(q.max_points for q in questions) + 0.0,
        questions=tuple(questions),
        cells=Cells(total, draw(st.integers(0, total)), tuple(draw(st.lists(failures, max_size=3)))),
        timing=Timing(*(draw(points) for _ in range(5))),
        device=draw(texts),
        versions=draw(texts),
        limits=draw(texts),
        notes=tuple(draw(st.lists(words, max_size=3))),
    )


@given(any_report())
def test_any_report_comes_back_as_it_was(drawn: Report) -> None:
    assert Report.from_json(drawn.to_json()) == drawn


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(WHOLE.to_dict())), json_values)
def test_any_value_in_any_field_is_read_or_refused(field: str, value: Any) -> None:
    try:
        read(put(value, field))
    except ReportError:
        return


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(ReportError):
        Report.from_json(data)
