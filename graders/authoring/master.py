"""The outline of a master notebook, read without running or importing anything of it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import yaml

from graders.authoring.faults import FaultList
from graders.authoring.fields import PROSE_CHARS, read_mapping
from graders.authoring.schema import QUESTION

_MARK: Final = re.compile(r"#\s+(begin|end)\s+(question|prompt|solution|tests)\s*$", re.IGNORECASE)
_CONFIG: Final = re.compile(r"#\s+assignment\s+config\s*$", re.IGNORECASE)
_BEGIN_TEST: Final = re.compile(r'(?:.\s*=\s*)?""?"?\s*#\s*BEGIN\s*TEST\s*CONFIG', re.IGNORECASE)
_END_TEST: Final = re.compile(r'""?"?\s*#\s*END\s*TEST\s*CONFIG', re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """A line of a cell; `cell` is an index from 0, `line` counts from 1."""

    cell: int
    line: int = 1


@dataclass(frozen=True)
class MasterTest:
    name: str
    function: str
    points: float
    hidden: bool
    place: Place


@dataclass(frozen=True)
class MasterQuestion:
    name: str
    place: Place
    points: float | None = None
    tests: tuple[MasterTest, ...] = ()
    answers: int = 0

    @property
    def max_points(self) -> float:
        return sum(test.points for test in self.tests)


@dataclass(frozen=True)
class Master:
    questions: tuple[MasterQuestion, ...]
    prose: tuple[tuple[Place, str], ...]


class MasterFaults:
    """Faults by cell and line; their lines in the .ipynb are worked out once, when there are any."""

    def __init__(self, text: str, faults: FaultList) -> None:
        self._text = text
        self._faults = faults
        self._lines: list[list[int]] | None = None

    def add(self, place: Place, message: str) -> None:
        self._faults.add(self.line_of(place), f"cell {place.cell + 1}, line {place.line}: {message}")

    def line_of(self, place: Place) -> int:
        if self._lines is None:
            self._lines = _source_lines(self._text)
        lines = self._lines[place.cell] if place.cell < len(self._lines) else [1]
        return lines[min(place.line, len(lines)) - 1]


def read_master(text: str, faults: FaultList) -> Master | None:
    """None, with a fault, when the file is no notebook at all."""
    try:
        notebook = json.loads(text)
        cells = [(str(cell["cell_type"]), _source(cell)) for cell in notebook["cells"]]
        if notebook["nbformat"] != 4:
            raise ValueError("its nbformat is not 4")
    except (ValueError, KeyError, TypeError) as error:
        faults.add(getattr(error, "lineno", 1), f"This is not a notebook of format 4: {error}.")
        return None
    return _Reader(cells, MasterFaults(text, faults)).read()


class _Reader:
    def __init__(self, cells: list[tuple[str, str]], faults: MasterFaults) -> None:
        self._cells = cells
        self._faults = faults
        self._questions: list[MasterQuestion] = []
        self._prose: list[tuple[Place, str]] = []
        self._blocks: list[tuple[str, Place]] = []
        self._configured = False

    def read(self) -> Master:
        for index, (kind, source) in enumerate(self._cells):
            self._cell(Place(index), kind, source)
        for block, place in self._blocks:
            self._faults.add(place, f"This {block} block has no end: add a raw cell `# END {block.upper()}`.")
        if not self._configured:
            self._faults.add(Place(0), "The notebook lacks a raw cell `# ASSIGNMENT CONFIG` with `ok_format: false`.")
        if not self._questions:
            self._faults.add(Place(0), "The notebook has no question: add a raw cell `# BEGIN QUESTION`.")
        for question in self._questions:
            self._finish(question)
        return Master(tuple(self._questions), tuple(self._prose))

    def _cell(self, place: Place, kind: str, source: str) -> None:
        first = source.lstrip("\n").split("\n", 1)[0].strip()
        if kind == "raw":
            self._raw(place, first, source)
            return
        if kind == "markdown" and any(line.strip() == "```otter" for line in source.splitlines()):
            self._faults.add(place, "Write this block in a raw cell: fenced otter blocks are not supported.")
        block = self._blocks[-1][0] if self._blocks else ""
        if block == "tests":
            self._test_cell(place, kind, source)
            return
        if kind == "markdown":
            self._prose.append((place, source))
        elif kind == "code" and _parse(source) is None:
            self._faults.add(place, "This code cell is not valid Python.")
        if block == "solution":
            if kind == "code":
                self._update(answers=self._questions[-1].answers + 1)
            else:
                self._faults.add(place, "A solution here is code: written answers can't be graded.")

    def _raw(self, place: Place, first: str, source: str) -> None:
        if _CONFIG.match(first):
            self._assignment(place, source)
            return
        mark = _MARK.match(first)
        if not mark:
            self._faults.add(place, "This raw cell is neither a block's begin or end nor the assignment's config.")
            return
        edge, block = mark[1].lower(), mark[2].lower()
        open_block = self._blocks[-1][0] if self._blocks else ""
        if edge == "begin":
            if (block == "question") == bool(self._blocks) or (block != "question" and open_block != "question"):
                self._faults.add(place, f"A {block} block can't begin here{_inside(open_block)}.")
            if block == "question":
                self._begin_question(place, source)
            self._blocks.append((block, place))
        elif open_block != block:
            self._faults.add(place, f"This ends a {block} block that is not open{_inside(open_block)}.")
        else:
            self._blocks.pop()

    def _assignment(self, place: Place, source: str) -> None:
        self._configured = True
        config = _yaml(source)
        tests = config.get("tests") if isinstance(config, dict) else None
        if not isinstance(tests, dict) or tests.get("ok_format") is not False:
            self._faults.add(place, "Set `tests: {ok_format: false}`: tests here are functions that raise.")
        for key in ("plugins", "seed", "config_file", "generate"):
            if isinstance(config, dict) and config.get(key):
                self._faults.add(place, f"Remove {key!r}: this house does not use it.")

    def _begin_question(self, place: Place, source: str) -> None:
        local = FaultList("")
        fields = read_mapping(source, local, "A question")
        name, points = "", None
        if fields is not None:
            name = fields.text("name")
            if "points" in fields.names:
                points = fields.number("points", 0, 1000)
            fields.end()
        for fault in local.faults:
            self._faults.add(replace(place, line=fault.line), fault.message)
        if name and not QUESTION.fullmatch(name):
            self._faults.add(place, f"A question's name is lower-case letters, digits and underscores, not {name!r}.")
        if name and any(name == question.name for question in self._questions):
            self._faults.add(place, f"There are two questions {name!r}: rename one.")
        self._questions.append(MasterQuestion(name, place, points))

    def _test_cell(self, place: Place, kind: str, source: str) -> None:
        if kind != "code":
            self._faults.add(place, "Only code cells may stand in a tests block.")
            return
        lines = source.split("\n")
        end = next((i for i, line in enumerate(lines) if _END_TEST.match(line)), None)
        if not _BEGIN_TEST.match(lines[0]) or end is None:
            self._faults.add(place, 'A test cell starts with `""" # BEGIN TEST CONFIG` … `""" # END TEST CONFIG`.')
            return
        body = "\n".join(lines[end + 1 :])
        tree = _parse(body)
        if tree is None:
            self._faults.add(place, "This test is not valid Python.")
            return
        if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef) or tree.body[0].decorator_list:
            self._faults.add(
                replace(place, line=end + 2),
                "A test cell holds one plain function and nothing else: put imports inside it.",
            )
            return
        function = tree.body[0]
        test = self._test(place, "\n".join(["", *lines[1:end]]), function.name)
        self._update(tests=(*self._questions[-1].tests, test))

    def _test(self, place: Place, config: str, function: str) -> MasterTest:
        local = FaultList("")
        fields = read_mapping(config, local, "A test's config")
        values: dict[str, Any] = {"name": function, "points": 0.0, "hidden": False}
        if fields is not None:
            values["points"] = fields.number("points", 0, 1000)
            fields.text("failure_message", PROSE_CHARS)
            fields.text("success_message", PROSE_CHARS, required=False)
            if "name" in fields.names:
                values["name"] = fields.text("name") or function
            if "hidden" in fields.names:
                values["hidden"] = fields.truth("hidden")
            fields.end()
        for fault in local.faults:
            self._faults.add(replace(place, line=fault.line), fault.message)
        return MasterTest(function=function, place=place, **values)

    def _update(self, **changes: Any) -> None:
        if self._questions:
            self._questions[-1] = replace(self._questions[-1], **changes)

    def _finish(self, question: MasterQuestion) -> None:
        name, place = question.name, question.place
        if not question.answers:
            self._faults.add(place, f"Question {name} has no code cell in a solution block.")
        if not any(test.hidden for test in question.tests):
            self._faults.add(place, f"Question {name} has no hidden test: only one can tell that the idea is right.")
        if all(test.hidden for test in question.tests):
            self._faults.add(place, f"Question {name} has no public test: a student can't see that the form is right.")
        if question.tests and question.max_points <= 0:
            self._faults.add(place, f"Question {name} is worth nothing: give its tests points.")
        if question.points is not None and abs(question.points - question.max_points) > 1e-9:
            self._faults.add(
                place, f"Question {name} says {question.points:g} points; its tests add up to {question.max_points:g}."
            )
        for what in ("name", "function"):
            seen: set[str] = set()
            for test in question.tests:
                value = getattr(test, what)
                if value in seen:
                    self._faults.add(test.place, f"Two tests of {name} have the {what} {value!r}: rename one.")
                seen.add(value)


def _source(cell: Mapping[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _parse(source: str) -> ast.Module | None:
    """None when it is not Python; IPython's magics and shell lines count as comments."""
    plain = "\n".join(re.sub(r"^(\s*)[%!?].*", r"\1pass", line) for line in source.split("\n"))
    try:
        return ast.parse("" if source.startswith("%%") else plain)
    except (SyntaxError, ValueError):
        return None


def _yaml(source: str) -> Any:
    try:
        return yaml.safe_load(source)
    except yaml.YAMLError:
        return None


def _inside(block: str) -> str:
    return f", inside a {block} block" if block else ", outside a question"


def _source_lines(text: str) -> list[list[int]]:
    """For each cell the .ipynb's line of each of its source lines. JSON is YAML, and YAML's nodes know their lines."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        top = yaml.compose(text, Loader=loader)
        cells = _child(top, "cells").value
        return [_lines(_child(cell, "source")) for cell in cells]
    except (yaml.YAMLError, KeyError, AttributeError):
        return []


def _child(node: Any, name: str) -> Any:
    for key, value in node.value:
        if key.value == name:
            return value
    raise KeyError(name)


def _lines(source: Any) -> list[int]:
    if isinstance(source, yaml.SequenceNode):
        return [node.start_mark.line + 1 for node in source.value] or [source.start_mark.line + 1]
    return [source.start_mark.line + 1]
