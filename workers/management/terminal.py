"""A report as plain text, for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from graders.notebook.feedback import HIDDEN_NAME, checks_sentence, number_text, points_text
from graders.report import QuestionResult, Report

_WIDTH = 100


def report_text(report: Report, title: str) -> str:
    return "\n".join(_lines(report, title)) + "\n"


def _lines(report: Report, title: str) -> Iterator[str]:
    yield f"{title} ({report.lab}): {points_text(report.score, report.max_score)}"
    yield checks_sentence([test for question in report.questions for test in question.tests])
    for question in report.questions:
        yield ""
        yield from _question(question)
    yield ""
    yield f"Code cells: {report.cells.executed} of {report.cells.total} executed."
    for failure in report.cells.failed:
        yield from _wrapped(failure.message or f"Cell {failure.number}: {failure.name}", "  ")
    for note in report.notes:
        yield from _wrapped(note, "")
    timing = report.timing
    yield (
        f"Time: {timing.total_s:.1f} s (cells {timing.cells_s:.1f} s, tests {timing.tests_s:.1f} s; "
        f"started after {timing.started_s:.1f} s)"
    )
    for name, facts in (("Device", report.device), ("Versions", report.versions), ("Limits", report.limits)):
        if facts:
            yield from _wrapped(f"{name}: " + ", ".join(f"{key} {value}" for key, value in facts.items()), "")


def _question(question: QuestionResult) -> Iterator[str]:
    name = f"{question.name}  {question.title}".rstrip()
    yield f"{name:<70} {_points(question.points, question.max_points)}"
    for test in question.tests:
        # What a student may see calls itself hidden already.
        told = " (hidden)" if test.visibility == "hidden" and not test.name.startswith(HIDDEN_NAME) else ""
        yield f"  {'✓' if test.passed else '✗'} {test.name + told:<66} {_points(test.points, test.max_points)}"
        if test.message:
            yield from _wrapped(test.message, "      ")


def _points(points: float, most: float) -> str:
    return f"{number_text(points):>4} of {number_text(most)}"


def _wrapped(text: str, indent: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from textwrap.wrap(line, _WIDTH, initial_indent=indent, subsequent_indent=indent) or [indent]
