"""The lab that the cases are handed in for, and its notebook with every question answered rightly."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Final

from graders.authoring.setup_cell import setup_source
from graders.bundle import LabBundle, LabLimits
from tests.grading import question

LAB: Final = "testing/measured-kernels"
CANARY: Final = "canary-5d20e7"
QUESTIONS: Final = ("q1", "q2", "q3", "q4")
LIMITS: Final = {"cell_s": 20.0, "run_s": 60.0, "test_s": 10.0, "memory_bytes": 1024**3}
FILES: Final = {"measurements.csv": b"kernel,ms\ncopy,10.5\nadd,20\nmatmul,30\n"}

_LIBRARY: Final = Path(__file__).parents[2] / "courses" / "labkit" / "src" / "labkit"

_TEXTS: Final = {
    "title": "# Measured kernels\n\nWork from top to bottom and hand the notebook in as often as you like.",
    "q1-text": "## Question 1: a square\n\nWrite `square(x)`, which gives the square of any number.",
    "q2-text": "## Question 2: a total\n\nSet `total` to the sum of the column `ms` of `measurements.csv`.",
    "q3-text": "## Question 3: scaling\n\nWrite `scale(values, factor)`, which gives a list of scaled numbers.",
    "q4-text": "## Question 4: the ridge\n\nSet `ridge` to the ridge point of the machine at the top.",
}
_GIVEN: Final = "PEAK = 2.0e12  # operations in a second\nBANDWIDTH = 1.0e11  # bytes in a second"
_ANSWERS: Final = {
    "q1": "def square(x):\n    return x * x",
    "q2": 'with open("measurements.csv") as file:\n'
    '    rows = [line.strip().split(",") for line in file]\n'
    "total = sum(float(ms) for _, ms in rows[1:])",
    "q3": "def scale(values, factor):\n    return [factor * value for value in values]",
    "q4": "ridge = PEAK / BANDWIDTH",
}
_PUBLIC: Final = {
    "q1": "def test_public(square):\n    assert square(3) == 9",
    "q2": "def test_public(total):\n    assert float(total) > 0",
    "q3": "def test_public(scale):\n    assert list(scale([1.0, 2.0], 3)) == [3.0, 6.0]",
    "q4": "def test_public(ridge):\n    assert float(ridge) > 0",
}
_HIDDEN: Final = {
    "q1": "def test_hidden(square):\n    assert square(-4) == 16",
    "q2": "def test_hidden(total):\n    assert abs(float(total) - 60.5) < 1e-9",
    "q3": "def test_hidden(scale):\n    assert list(scale([-1.0, 4.0], 0.5)) == [-0.5, 2.0]",
    "q4": "def test_hidden(ridge):\n    assert abs(float(ridge) - 20.0) < 1e-9",
}
_HEAD: Final = "OK_FORMAT = False\n\nfrom otter.test_files import test_case\n\nname = {name!r}\npoints = 2.0\n"


@functools.cache
def lab(limits: tuple[tuple[str, float], ...] = ()) -> LabBundle:
    return LabBundle(
        lab=LAB,
        title="Measured kernels",
        questions=tuple(question(name, _tests(name), points=2.0) for name in QUESTIONS),
        starter=json.dumps(_notebook(dict.fromkeys(QUESTIONS, "..."))),
        solution=json.dumps(answered()),
        limits=LabLimits(**{**LIMITS, **dict(limits)}),  # type: ignore[arg-type]
        library=_library(),
        files=FILES,
    )


def answered() -> dict[str, Any]:
    """A fresh copy; its cells' ids are title, setup, given and, of each question, q1-text, q1-answer, q1-check."""
    return _notebook(_ANSWERS)


def _tests(name: str) -> str:
    hidden = _HIDDEN[name].replace("assert", f"assert {CANARY!r} and", 1)
    return f"@test_case(points=1)\n{_PUBLIC[name]}\n\n@test_case(points=1, hidden=True)\n{hidden}\n"


def _notebook(answers: dict[str, str]) -> dict[str, Any]:
    cells = [_markdown("title"), _code("setup", _setup(), role="setup"), _code("given", _GIVEN)]
    for name in QUESTIONS:
        cells += [
            _markdown(f"{name}-text", question=name, role="text"),
            _code(f"{name}-answer", answers[name], question=name, role="answer"),
            _code(f"{name}-check", f'grader.check("{name}")', question=name, role="check"),
        ]
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "ridgepoint": {"lab": LAB},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _markdown(cell_id: str, **ours: str) -> dict[str, Any]:
    metadata = {"ridgepoint": ours} if ours else {}
    return {"cell_type": "markdown", "id": cell_id, "metadata": metadata, "source": _TEXTS[cell_id]}


def _code(cell_id: str, source: str, **ours: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": {"ridgepoint": ours} if ours else {},
        "outputs": [],
        "source": source,
    }


@functools.cache
def _setup() -> str:
    public = {name: f"{_HEAD.format(name=name)}\n@test_case(points=1)\n{_PUBLIC[name]}\n" for name in QUESTIONS}
    return setup_source(LAB, public, _library(), _version(), FILES)


@functools.cache
def _library() -> dict[str, str]:
    return {f"labkit/{path.name}": path.read_text(encoding="utf-8") for path in sorted(_LIBRARY.glob("*.py"))}


def _version() -> str:
    names: dict[str, Any] = {}
    exec(_library()["labkit/__init__.py"], names)  # noqa: S102  our own package
    return str(names["__version__"])
