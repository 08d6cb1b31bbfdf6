"""What each page shows, in the words and numbers that its template needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Final, Literal, cast
from uuid import UUID, uuid4

from django.utils.safestring import SafeString, mark_safe

from graders.notebook import feedback
from graders.report import Report
from server.domain.catalog import queries as catalog
from server.domain.labs import queries as labs

if TYPE_CHECKING:
    from server.domain.accounts.models import User
    from server.domain.catalog.models import Class
    from server.domain.catalog.rules import Lab


@dataclass(frozen=True)
class LabLine:
    slug: str
    title: str
    summary: str
    minutes: int
    max_score: float
    best: float | None
    best_of: float | None
    state: str | None


@dataclass(frozen=True)
class ModulePart:
    title: str
    summary: str
    labs: tuple[LabLine, ...]


@dataclass(frozen=True)
class ClassPage:
    uuid: UUID
    title: str
    course: str
    summary: str
    starts_on: date
    ends_on: date | None
    sees_submissions: bool
    modules: tuple[ModulePart, ...]
    outcomes: tuple[str, ...]
    prerequisites: tuple[str, ...]

    @classmethod
    def of(cls, user: User, klass: Class) -> ClassPage:
        outline = catalog.outline_of(klass)
        standings = labs.standings(user, klass)
        return cls(
            uuid=klass.uuid,
            title=klass.title,
            course=outline.title,
            summary=outline.summary,
            starts_on=klass.starts_on,
            ends_on=klass.ends_on,
            sees_submissions=catalog.may_see_submissions(user, klass),
            modules=tuple(
                ModulePart(
                    module.title, module.summary, tuple(_lab_line(lab, standings.get(lab.slug)) for lab in module.labs)
                )
                for module in outline.modules
            ),
            outcomes=tuple(outcome.text for outcome in outline.outcomes),
            prerequisites=outline.prerequisites,
        )


def _lab_line(lab: Lab, standing: labs.Standing | None) -> LabLine:
    return LabLine(
        slug=lab.slug,
        title=lab.title,
        summary=lab.summary,
        minutes=lab.minutes,
        max_score=lab.max_score,
        best=standing.best if standing else None,
        best_of=standing.best_of if standing else None,
        state=standing.state if standing else None,
    )


@dataclass(frozen=True)
class Attempt:
    uuid: UUID
    number: int
    received_at: datetime
    state: str
    score: float | None
    max_score: float | None
    is_best: bool


@dataclass(frozen=True)
class LabPage:
    """`form_key` makes two clicks on one form one submission."""

    klass: Class
    slug: str
    title: str
    summary: str
    minutes: int
    max_score: float
    max_bytes: int
    instructions: SafeString
    attempts: tuple[Attempt, ...]
    closed_because: str | None
    fault: str = ""
    form_key: str = field(default_factory=lambda: str(uuid4()))

    @classmethod
    def of(cls, user: User, klass: Class, lab_slug: str, *, now: datetime, fault: str = "") -> LabPage:
        lab = catalog.lab_of(klass, lab_slug)
        rows = labs.my_submissions(user, klass, lab_slug)
        best = max((row.share for row in rows if row.share is not None), default=None)
        first_best = min((row.attempt for row in rows if row.share is not None and row.share == best), default=0)
        return cls(
            klass=klass,
            slug=lab.slug,
            title=lab.title,
            summary=lab.summary,
            minutes=lab.minutes,
            max_score=lab.max_score,
            max_bytes=lab.notebook_bytes,
            # Publication made this from the course's own Markdown; nothing of a student's gets here.
            instructions=mark_safe(lab.instructions),  # noqa: S308
            attempts=tuple(
                Attempt(
                    uuid=row.uuid,
                    number=row.attempt,
                    received_at=row.received_at,
                    state=row.state,
                    score=row.score,
                    max_score=row.max_score,
                    is_best=len(rows) > 1 and row.attempt == first_best,
                )
                for row in rows
            ),
            closed_because=catalog.closed_because(klass, now),
            fault=fault,
        )


Step = Literal["queued", "running", "done", "failed"]

FAST_MS: Final = 1_500
MOST_ASKED: Final = 12
PHASES: Final[Mapping[str, str]] = {
    "starting": "Opening a sandbox",
    "cells": "Running your notebook",
    "tests": "Testing your answers",
    "rendering": "Writing the report",
}


@dataclass(frozen=True)
class Progress:
    """A run while it is watched. `announce` is set when there is news for those who listen instead of look."""

    uuid: UUID
    step: Step
    says: str
    detail: str
    percent: int
    place: int | None
    cell: int
    of: int
    elapsed_s: float
    again_ms: int
    announce: bool
    fault: str

    @property
    def goes_on(self) -> bool:
        return self.step in ("queued", "running")

    @classmethod
    def of_run(cls, submission: UUID, status: labs.RunStatus, *, said: str) -> Progress:
        step = cast("Step", status.state.value)
        elapsed = status.waited_s + (status.elapsed_s or 0.0)
        says, detail = _words(status)
        return cls(
            uuid=submission,
            step=step,
            says=says,
            detail=detail,
            percent=_percent(status),
            place=status.place,
            cell=status.cell,
            of=status.of,
            elapsed_s=elapsed,
            again_ms=next((ms for upto, ms in ((30, FAST_MS), (120, 2 * FAST_MS)) if elapsed < upto), 4 * FAST_MS),
            announce=said not in ("", step),
            fault=status.fault,
        )


def _words(status: labs.RunStatus) -> tuple[str, str]:
    match status.state.value:
        case "queued":
            return "In the queue", _about_the_queue(status)
        case "running":
            about = f"Question {status.question}" if status.question and status.phase == "tests" else ""
            return PHASES.get(status.phase, PHASES["starting"]), about
        case "done":
            return "Graded", ""
        case _:
            return (
                "This notebook could not be graded, and that is our fault",
                "It is kept, and costs you nothing. Your instructor can have it graded again, or you hand it in again.",
            )


def _about_the_queue(status: labs.RunStatus) -> str:
    if status.tries:
        return "The grader stumbled. It tries again by itself; you need do nothing."
    if status.place is None:
        return ""
    ahead = status.place - 1
    who = "You are next." if not ahead else f"{ahead} notebook{'' if ahead == 1 else 's'} before yours."
    wait = status.expected_wait_s
    if wait is None or wait < 1:
        return who
    return f"{who} Grading should start in about {f'{wait / 60:.0f} min' if wait >= 90 else f'{wait:.0f} s'}."


def _percent(status: labs.RunStatus) -> int:
    """How far the line has climbed: cells are nearly all of it, and only a report completes it."""
    if status.state.value == "done":
        return 100
    if status.state.value != "running":
        return 0
    if status.phase == "rendering":
        return 97
    return 3 + round(90 * status.cell / status.of) if status.of else 3


@dataclass(frozen=True)
class RunPage:
    klass: Class
    lab: LabName
    name: str
    student: str | None
    filename: str
    received_at: datetime
    notes: tuple[str, ...]
    may_restart: bool
    progress: Progress

    @classmethod
    def of(cls, detail: labs.SubmissionDetail, progress: Progress) -> RunPage:
        row = detail.row
        return cls(
            klass=detail.klass,
            lab=LabName(row.lab_slug, row.lab_title),
            name=f"Attempt {row.attempt}",
            student=None if detail.is_own else row.user_name,
            filename=row.filename,
            received_at=row.received_at,
            notes=detail.notes,
            may_restart=detail.may_restart and not progress.goes_on,
            progress=progress,
        )


@dataclass(frozen=True)
class LabName:
    slug: str
    title: str


@dataclass(frozen=True)
class NotebookFrame:
    """The executed notebook's place in the report. Its copy comes after the report, mostly within seconds."""

    uuid: UUID
    ready: bool
    asked: int = 0

    @property
    def asks_again(self) -> bool:
        return not self.ready and self.asked < MOST_ASKED

    @property
    def again_ms(self) -> int:
        return FAST_MS << min(self.asked, 4)


@dataclass(frozen=True)
class ReportPage:
    """`in_full`: hidden tests by name and message, as instructors and assistants see them."""

    uuid: UUID
    klass: Class
    lab: LabName
    name: str
    student: str | None
    filename: str
    received_at: datetime
    report: Report
    checks: str
    notes: tuple[str, ...]
    frame: NotebookFrame
    in_full: bool
    regrading: bool
    newer_run_failed: bool
    regraded: labs.Regraded | None
    circumstances: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    @classmethod
    def of(cls, detail: labs.SubmissionDetail, graded: labs.GradedReport) -> ReportPage:
        row, report = detail.row, graded.report
        facts = (("Device", report.device), ("Versions", report.versions), ("Limits", report.limits))
        return cls(
            uuid=row.uuid,
            klass=detail.klass,
            lab=LabName(row.lab_slug, row.lab_title),
            name=f"Attempt {row.attempt}",
            student=None if detail.is_own else row.user_name,
            filename=row.filename,
            received_at=row.received_at,
            report=report,
            checks=feedback.checks_sentence([test for each in report.questions for test in each.tests]),
            notes=tuple(dict.fromkeys((*detail.notes, *report.notes))),
            frame=NotebookFrame(row.uuid, graded.has_rendering),
            in_full=detail.seen_as_staff,
            regrading=row.state in ("queued", "running"),
            newer_run_failed=graded.newer_run_failed,
            regraded=graded.regraded,
            circumstances=tuple((heading, tuple(pairs.items())) for heading, pairs in facts if pairs),
        )
