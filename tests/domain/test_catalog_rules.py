from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from server.domain.catalog import rules
from tests.factories import manifest


def _compiled(**changes: Any) -> dict[str, Any]:
    course = manifest(**changes)
    added = {"bundle": "0" * 64, "max_score": 3.0, "notebook_bytes": 1000}
    course["labs"] = {slug: lab | added for slug, lab in course["labs"].items()}
    return course


def test_the_outline_keeps_the_modules_order() -> None:
    modules = [
        {"id": "b", "title": "B", "summary": "", "labs": ["doubling"]},
        {"id": "a", "title": "A", "summary": "", "labs": []},
    ]
    assert [module.id for module in rules.outline(_compiled(modules=modules)).modules] == ["b", "a"]


@pytest.mark.parametrize("field", ["slug", "title", "summary", "outcomes", "prerequisites", "modules", "labs"])
def test_a_missing_field_is_named(field: str) -> None:
    course = _compiled()
    del course[field]
    with pytest.raises(rules.ManifestError, match=field):
        rules.outline(course)


@pytest.mark.parametrize("labs", [["doubling", "doubling"], []])
def test_each_lab_stands_in_exactly_one_place(labs: list[str]) -> None:
    modules = [{"id": "m", "title": "M", "summary": "", "labs": labs}]
    with pytest.raises(rules.ManifestError, match="once"):
        rules.outline(_compiled(modules=modules))


def test_a_module_names_only_labs_that_exist() -> None:
    modules = [{"id": "m", "title": "M", "summary": "", "labs": ["doubling", "tripling"]}]
    with pytest.raises(rules.ManifestError, match="tripling"):
        rules.outline(_compiled(modules=modules))


@pytest.mark.parametrize("broken", [{"title": 3}, {"outcomes": [1]}, {"modules": [{"id": None}]}, {"labs": []}])
def test_another_type_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(rules.ManifestError):
        rules.outline({**_compiled(), **broken})


def test_the_digest_does_not_depend_on_the_order_of_keys() -> None:
    course = _compiled()
    assert rules.digest(course) == rules.digest(dict(reversed(course.items())))


@pytest.mark.parametrize(
    ("today", "says"),
    [
        (date(2026, 8, 31), "opens on September 1, 2026"),
        (date(2026, 9, 1), None),
        (date(2026, 12, 15), None),
        (date(2026, 12, 16), "closed on December 15, 2026"),
    ],
)
def test_a_class_is_open_on_both_of_its_dates_and_between(today: date, says: str | None) -> None:
    sentence = rules.not_open_because(date(2026, 9, 1), date(2026, 12, 15), today)
    assert sentence is None if says is None else says in str(sentence)


def test_a_class_without_an_end_stays_open() -> None:
    assert rules.not_open_because(date(2026, 9, 1), None, date(2036, 1, 1)) is None


def test_a_day_ends_where_the_class_is() -> None:
    late = datetime(2026, 12, 16, 7, 59, tzinfo=UTC)
    assert rules.local_date(late, "America/Los_Angeles") == date(2026, 12, 15)
