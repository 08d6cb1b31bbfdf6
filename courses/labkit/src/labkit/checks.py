"""Public checks that run anywhere, and the helpers that checks are written with.

`Notebook` runs a lab's public test cases in the learner's own kernel, without otter-grader. A test file is the text
that otter-grader's authoring format produces; its `test_case` decorator is replaced by a stand-in of the same shape.
"""

from __future__ import annotations

import ast
import html
import inspect
import math
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

NOISE_FACTOR: Final = 4.0
"""How far a learner's timing may lie from the grader's own, either way. Wide on purpose: it catches wrong units and
work that did not run, never a busy machine."""

PLAUSIBLE_FACTOR: Final = 30.0
"""How far a number that a notebook recorded earlier may lie from the grader's own. It only rejects wrong units."""

ATTEMPTS: Final = 4
"""How often a measured comparison is repeated before it counts as a miss. One agreement is enough."""

_MESSAGE_LENGTH: Final = 600
_SEED_VARIABLE: Final = "RIDGEPOINT_SEED"


def rng(salt: str = "") -> np.random.Generator:
    """A source of test inputs. Reproducible under the environment's RIDGEPOINT_SEED, fresh without it.

    Two salts give two unrelated streams of the same seed.
    """
    seed = os.environ.get(_SEED_VARIABLE)
    if seed is None:
        return np.random.default_rng()
    return np.random.default_rng([int(seed), zlib.crc32(salt.encode())])


# Form: what a check says before it looks at a value.


def number(value: Any, name: str = "The value") -> float:
    """`value` as a finite float. Accepts numbers and arrays or tensors with one element.

    Raises AssertionError with a sentence for the learner.
    """
    if value is None or value is ...:
        raise AssertionError(f"{name} is still missing.")
    item = getattr(value, "item", None)
    if callable(item):
        try:
            value = item()
        except (ValueError, RuntimeError, TypeError) as error:
            raise AssertionError(f"{name} should be one number, not an array of several.") from error
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise AssertionError(f"{name} should be a number, not {_kind(value)}.")
    result = float(value)
    if not math.isfinite(result):
        raise AssertionError(f"{name} should be finite, not {result}.")
    return result


def positive(value: Any, name: str = "The value") -> float:
    """Like `number`, and above zero."""
    result = number(value, name)
    assert result > 0, f"{name} should be above zero, not {result:g}."
    return result


def numbers(value: Any, name: str = "The list", *, at_least: int = 0) -> list[float]:
    """`value` as a list of finite floats: from a list, a tuple, an array or a tensor of one dimension."""
    if value is None or value is ...:
        raise AssertionError(f"{name} is still missing.")
    to_list = getattr(value, "tolist", None)
    if callable(to_list):
        value = to_list()
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, (list, tuple)):
        raise AssertionError(f"{name} should be a list of numbers, not {_kind(value)}.")
    result = [number(item, f"{name}, item {index},") for index, item in enumerate(value)]
    assert len(result) >= at_least, f"{name} should have at least {at_least} numbers, not {len(result)}."
    return result


def fields(value: Any, keys: Iterable[str], name: str = "The dictionary") -> dict[str, Any]:
    """`value` as a dictionary that has all of `keys`."""
    if value is None or value is ...:
        raise AssertionError(f"{name} is still missing.")
    if not isinstance(value, Mapping):
        raise AssertionError(f"{name} should be a dictionary, not {_kind(value)}.")
    missing = [key for key in keys if key not in value]
    assert not missing, f"{name} lacks {', '.join(repr(key) for key in missing)}."
    return dict(value)


def _kind(value: Any) -> str:
    return f"a value of type {type(value).__name__}"


def close(actual: Any, expected: float, relative: float = 1e-6, name: str = "The value") -> None:
    """Asserts that a number agrees with the expected one to within `relative`."""
    found = number(actual, name)
    assert math.isclose(found, expected, rel_tol=relative, abs_tol=1e-12), f"{name} is {found:g}."


# Measurements: never a verdict from one noisy sample.


def agrees(
    learner: Callable[[], Sequence[float]],
    reference: Callable[[], Sequence[float]],
    *,
    factor: float = NOISE_FACTOR,
    attempts: int = ATTEMPTS,
) -> bool:
    """Whether the learner's timings lie within `factor` of the grader's, taken right next to them.

    Both return seconds per repetition. The fastest samples are compared, because interference only ever adds time. A
    miss is measured again, `attempts` times in all; one agreement is enough.
    """
    for _ in range(attempts):
        before = min(reference())
        ours = min(learner())
        after = min(reference())
        low, high = min(before, after) / factor, max(before, after) * factor
        if low <= ours <= high:
            return True
    return False


def plausible(value: float, reference: float) -> bool:
    """Whether a recorded number is of the reference's order of magnitude. See PLAUSIBLE_FACTOR."""
    return reference / PLAUSIBLE_FACTOR <= value <= reference * PLAUSIBLE_FACTOR


# Running a lab's public test cases.


class _TestCase:
    """Stands in for otter-grader's decorator of the same shape."""

    def __init__(
        self,
        name: str | None = None,
        points: float | None = None,
        hidden: bool = False,
        success_message: str | None = None,
        failure_message: str | None = None,
    ) -> None:
        self.name = name
        self.points = points
        self.hidden = hidden
        self.success_message = success_message
        self.failure_message = failure_message
        self.function: Callable[..., object] = lambda: None

    def __call__(self, function: Callable[..., object]) -> _TestCase:
        self.function = function
        return self

    def run(self, namespace: Mapping[str, Any]) -> None:
        names = inspect.signature(self.function).parameters
        self.function(**{name: namespace if name == "env" else namespace.get(name) for name in names})


def _test_cases(source: str, question: str) -> list[_TestCase]:
    tree = ast.parse(source, filename=f"<public checks of {question}>")
    tree.body = [
        node for node in tree.body if not (isinstance(node, ast.ImportFrom) and node.module == "otter.test_files")
    ]
    names: dict[str, Any] = {"test_case": _TestCase, "__name__": f"public_checks_of_{question}"}
    exec(compile(tree, f"<public checks of {question}>", "exec"), names)  # noqa: S102 - the lab's own text
    return [value for value in names.values() if isinstance(value, _TestCase) and not value.hidden]


@dataclass(frozen=True)
class CaseResult:
    """One public test case. `message` is the author's sentence, `detail` what the test itself said."""

    name: str
    passed: bool
    message: str
    detail: str


@dataclass(frozen=True)
class CheckResult:
    """What the public checks of one question found. Shows itself as text and as HTML."""

    question: str
    cases: tuple[CaseResult, ...]

    @property
    def passed(self) -> int:
        return sum(case.passed for case in self.cases)

    @property
    def summary(self) -> str:
        return (
            f"{self.question}: public checks: {self.passed} of {len(self.cases)} passed. "
            "Hidden checks run when you submit."
        )

    def __str__(self) -> str:
        lines = [self.summary]
        for case in self.cases:
            lines.append(f"  {'passed' if case.passed else 'FAILED'}: {case.name}")
            lines += [f"    {text}" for text in (case.message, case.detail) if text]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        items = []
        for case in self.cases:
            mark, word = ("✓", "passed") if case.passed else ("✗", "failed")
            message = f"<br>{html.escape(case.message)}" if case.message else ""
            detail = f"<br><code>{html.escape(case.detail)}</code>" if case.detail else ""
            items.append(f"<li><strong>{mark} {word}</strong>: {html.escape(case.name)}{message}{detail}</li>")
        return f"<p><strong>{html.escape(self.summary)}</strong></p><ul>{''.join(items)}</ul>"


class Notebook:
    """The public checks of one lab.

    `public_tests` maps a question's name to the source of its test file, public cases only.
    """

    def __init__(self, public_tests: Mapping[str, str], *, lab: str = "") -> None:
        self.lab = lab
        self._sources = dict(public_tests)

    def check(self, question: str, namespace: Mapping[str, Any] | None = None) -> CheckResult:
        """Runs the public checks of one question against the calling notebook's names."""
        if question not in self._sources:
            known = ", ".join(sorted(self._sources))
            raise ValueError(f"This lab has no question {question!r}; its questions are {known}.")
        if namespace is None:
            namespace = sys._getframe(1).f_globals
        return self._run(question, namespace)

    def check_all(self) -> tuple[CheckResult, ...]:
        """Runs the public checks of every question against the calling notebook's names."""
        namespace = sys._getframe(1).f_globals
        return tuple(self._run(question, namespace) for question in self._sources)

    def _run(self, question: str, namespace: Mapping[str, Any]) -> CheckResult:
        results = []
        for index, case in enumerate(_test_cases(self._sources[question], question), start=1):
            name = case.name or f"{question} - {index}"
            try:
                case.run(namespace)
            except Exception as error:  # noqa: BLE001 - whatever the learner's code raises is the finding
                detail = f"{type(error).__name__}: {error}"[:_MESSAGE_LENGTH]
                results.append(CaseResult(name, False, case.failure_message or "", detail))
            else:
                results.append(CaseResult(name, True, case.success_message or "", ""))
        return CheckResult(question, tuple(results))
