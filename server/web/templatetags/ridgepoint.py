"""How numbers, times and scores are written and drawn on pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from graders.notebook.feedback import number_text
from graders.report import QuestionResult

register = template.Library()


@register.filter
def points(value: float) -> str:
    return number_text(value)


@register.filter
def seconds(value: float) -> str:
    """Three digits that matter: 40 ms, 3.2 s, 2 min 5 s."""
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 60:
        return f"{value:.1f} s"
    return clock(value)


@register.filter
def mebibytes(size: int) -> str:
    return f"{size / 1024**2:g} MiB"


@register.filter
def clock(value: float) -> str:
    """Whole seconds, for a number that is watched while it grows."""
    minutes, rest = divmod(int(value), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@register.filter
def when(at: datetime) -> SafeString:
    """The moment in UTC; the page's script turns it into the reader's own time."""
    moment = at.astimezone(UTC)
    return format_html('<time datetime="{}" data-local>{}</time>', moment.isoformat(), f"{moment:%d %b %Y, %H:%M} UTC")


@register.filter
def day(on: date) -> SafeString:
    return format_html('<time datetime="{}">{}</time>', on.isoformat(), f"{on:%b} {on.day}, {on.year}")


@dataclass(frozen=True)
class Bar:
    """Percentages of the drawing's width."""

    most: float
    got: float
    ticks: tuple[float, ...]


def bar_of(question: QuestionResult, widest: float) -> Bar:
    """A question's bar beside others of which the largest has `widest` points; a tick stands between two tests."""
    scale = 100 / widest if widest else 0.0
    ticks: list[float] = []
    reached = 0.0
    for test in question.tests[:-1]:
        reached += test.max_points
        ticks.append(round(reached * scale, 3))
    most = round(question.max_points * scale, 3)
    return Bar(most, round(question.points * scale, 3), tuple(tick for tick in ticks if 0 < tick < most))


@register.inclusion_tag("parts/bar.html")
def bar(question: QuestionResult, questions: Sequence[QuestionResult]) -> dict[str, Any]:
    return {"bar": bar_of(question, max((each.max_points for each in questions), default=0.0))}
