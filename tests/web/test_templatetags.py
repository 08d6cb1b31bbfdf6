from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graders import report
from server.web.templatetags import ridgepoint


@pytest.mark.parametrize(
    ("value", "text"), [(2.0, "2"), (0.5, "0.5"), (10 / 3, "3.33"), (1.999, "1.99"), (20.0, "20"), (0.0, "0")]
)
def test_points_show_no_digit_that_says_nothing(value: float, text: str) -> None:
    assert ridgepoint.points(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0 ms"), (0.043, "43 ms"), (3.21, "3.2 s"), (59.9, "59.9 s"), (125.2, "2 min 5 s")]
)
def test_seconds_show_the_digits_that_matter(value: float, text: str) -> None:
    assert ridgepoint.seconds(value) == text


def test_a_moment_is_served_in_utc_for_the_browser_to_localize() -> None:
    at = datetime(2026, 9, 15, 14, 5, tzinfo=timezone(timedelta(hours=2)))
    expected = '<time datetime="2026-09-15T12:05:00+00:00" data-local>15 Sep 2026, 12:05 UTC</time>'
    assert ridgepoint.when(at) == expected
    assert ridgepoint.when(at.astimezone(UTC)) == expected


def test_a_bar_is_as_wide_as_its_points_with_a_tick_between_tests() -> None:
    tests = tuple(report.TestResult(f"t{points}", "public", True, points, points) for points in (1.0, 0.5, 0.5))
    bar = ridgepoint.bar_of(report.QuestionResult("q", 1.5, 2.0, tests), widest=4.0)
    assert (bar.most, bar.got, bar.ticks) == (50.0, 37.5, (25.0, 37.5))


def test_a_bar_without_points_is_empty() -> None:
    assert ridgepoint.bar_of(report.QuestionResult("q", 0.0, 0.0, ()), widest=0.0) == ridgepoint.Bar(0.0, 0.0, ())
