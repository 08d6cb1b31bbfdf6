"""How runs come into the queue and leave it. What is queued, and in which order it goes, is decided here alone."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db.models import Max

from server.domain.core import announce, audit
from server.domain.labs import rules
from server.domain.labs.models import GradingRun, RunKind, RunState, Submission

GRADE_NEXT: Final = "labs.grade_next"


def add(submission: Submission, kind: RunKind, now: datetime, *, like: GradingRun | None = None) -> GradingRun:
    """Add a run, graded with the tests that `like` was, and announce it.

    The caller holds the student's or the submission's row.
    """
    number: int | None = submission.runs.aggregate(latest=Max("number"))["latest"]
    earlier = GradingRun.objects.filter(submission__user_id=submission.user_id, kind=kind)
    last_turn: datetime | None = earlier.aggregate(last=Max("turn_at"))["last"]
    run = GradingRun.objects.create(
        submission=submission,
        version_id=None if like is None else like.version_id,
        number=(number or 0) + 1,
        kind=kind,
        queued_at=now,
        turn_at=rules.turn_at(now, last_turn),
        not_before=now,
    )
    audit.record("labs.run-queued", run, actor=None, at=now, data={"submission": str(submission.uuid)})
    announce.after_commit(GRADE_NEXT)
    return run


def put_back(run: GradingRun, not_before: datetime) -> None:
    run.state = RunState.QUEUED
    run.not_before = not_before
    run.lease_until = None
    run.phase, run.cell, run.of, run.question = "", 0, 0, ""
    run.save()
