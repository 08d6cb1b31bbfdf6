"""What a published course says, read from its manifest; and when a class is open."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo


class ManifestError(ValueError):
    """The compiled course lacks something that a page or a grader needs."""


@dataclass(frozen=True)
class Lab:
    """One lab of a published version. `instructions` is HTML that publication made; `bundle` names a LabBundle.

    A notebook of more than `notebook_bytes` is refused.
    """

    slug: str
    title: str
    summary: str
    minutes: int
    instructions: str
    max_score: float
    notebook_bytes: int
    bundle: str


@dataclass(frozen=True)
class Module:
    id: str
    title: str
    summary: str
    labs: tuple[Lab, ...]


@dataclass(frozen=True)
class Outcome:
    id: str
    text: str


@dataclass(frozen=True)
class CourseOutline:
    slug: str
    title: str
    summary: str
    outcomes: tuple[Outcome, ...]
    prerequisites: tuple[str, ...]
    modules: tuple[Module, ...]

    @property
    def labs(self) -> tuple[Lab, ...]:
        return tuple(lab for module in self.modules for lab in module.labs)


def outline(manifest: Mapping[str, Any]) -> CourseOutline:
    """The course that a manifest describes.

    Raises:
        ManifestError: a field is missing or of another type, or a module names a lab that is not there.
    """
    try:
        labs = {slug: _lab(slug, raw) for slug, raw in manifest["labs"].items()}
        course = CourseOutline(
            slug=_text(manifest, "slug"),
            title=_text(manifest, "title"),
            summary=_text(manifest, "summary"),
            outcomes=tuple(Outcome(_text(raw, "id"), _text(raw, "text")) for raw in manifest["outcomes"]),
            prerequisites=tuple(str(item) for item in manifest["prerequisites"]),
            modules=tuple(
                Module(
                    id=_text(raw, "id"),
                    title=_text(raw, "title"),
                    summary=_text(raw, "summary"),
                    labs=tuple(labs[slug] for slug in raw["labs"]),
                )
                for raw in manifest["modules"]
            ),
        )
    except KeyError as error:
        raise ManifestError(f"The course's manifest lacks {error}.") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise ManifestError(f"The course's manifest is malformed: {error}.") from error
    if len(course.labs) != len(labs) or len(set(course.labs)) != len(labs):
        raise ManifestError("The course's modules must name each of its labs once.")
    return course


def canonical(manifest: Mapping[str, Any]) -> bytes:
    return json.dumps(manifest, sort_keys=True, ensure_ascii=False, allow_nan=False).encode()


def digest(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(manifest)).hexdigest()


def local_date(now: datetime, time_zone: str) -> date:
    return now.astimezone(ZoneInfo(time_zone)).date()


def not_open_because(starts_on: date, ends_on: date | None, today: date) -> str | None:
    """None while a class is open, else the sentence that says why it is not."""
    if today < starts_on:
        return f"This class opens on {_day(starts_on)}: hand in your notebook from that day on."
    if ends_on is not None and today > ends_on:
        return f"This class closed on {_day(ends_on)}: ask your instructor if you still need to hand in."
    return None


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def _lab(slug: str, raw: Mapping[str, Any]) -> Lab:
    return Lab(
        slug=slug,
        title=_text(raw, "title"),
        summary=_text(raw, "summary"),
        minutes=int(raw["minutes"]),
        instructions=_text(raw, "instructions"),
        max_score=float(raw["max_score"]),
        notebook_bytes=int(raw["notebook_bytes"]),
        bundle=_text(raw, "bundle"),
    )


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} is not a text")
    return value
