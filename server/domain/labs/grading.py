"""What a worker does with a run, from its claim to its end, and what the reaper does with a silent worker's.

Between a worker and the database stands the fencing token: every claim of a run raises it, and what comes with an
older token is refused with LostLease.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol
from uuid import UUID

from django.conf import settings
from django.db import transaction

from graders.report import Report
from server.domain.catalog import queries as catalog
from server.domain.core import announce, audit
from server.domain.core.events import log
from server.domain.labs import queue, rendering, rules
from server.domain.labs.models import GradingRun, LabPace, RunState, Submission

MAX_FAULT_CHARS: Final = 500

logger = logging.getLogger(__name__)


class LostLease(Exception):
    """The run was given to another worker, or is over: stop, and record nothing."""


class Progress(Protocol):
    @property
    def phase(self) -> str: ...

    @property
    def cell(self) -> int: ...

    @property
    def of(self) -> int: ...

    @property
    def question(self) -> str | None: ...


@dataclass(frozen=True)
class ClaimedRun:
    """A run that is yours until `lease_until`, and what is needed to grade it: read it with `queries.work_of`.

    `fault` is what the try before met, if there was one.
    """

    run: UUID
    token: int
    seed: int
    tries: int
    submission: UUID
    lab: str
    bundle: str
    notebook_sha: str
    queued_at: datetime
    started_at: datetime
    lease_until: datetime
    fault: str


@dataclass(frozen=True)
class Reaped:
    """Counts of runs whose worker fell silent: queued again, and given up."""

    requeued: int
    failed: int


def claim_next(*, worker: str, now: datetime) -> ClaimedRun | None:
    """Take the run whose turn it is, or None. Safe with any number of workers at once."""
    while (next_up := queue.head(now)) is not None:
        with transaction.atomic():
            run = queue.take(next_up, now)
            claimed = None if run is None else _claim(run, worker, now)
        if claimed is not None:
            log(logger, "labs.run.claimed", run=claimed.run, lab=claimed.lab, worker=worker, token=claimed.token)
            return claimed
    return None


def heartbeat(*, run: UUID, token: int, progress: Progress | None, now: datetime) -> datetime:
    """Extend the lease, and show how far grading is. Returns the lease's new end. Too frequent for the audit trail.

    Raises:
        LostLease: the token is no longer the run's.
    """
    lease_until = now + timedelta(seconds=settings.RUN_LEASE_SECONDS)
    changes: dict[str, object] = {"lease_until": lease_until}
    if progress is not None:
        question = (progress.question or "")[:100]
        changes |= {"phase": progress.phase, "cell": progress.cell, "of": progress.of, "question": question}
    if not GradingRun.objects.filter(uuid=run, token=token, state=RunState.RUNNING).update(**changes):
        raise LostLease(f"Run {run} is no longer held under token {token}.")
    return lease_until


def record_report(*, run: UUID, token: int, report: Report, executed_sha: str, now: datetime) -> None:
    """Finish a run with its report.

    Raises:
        LostLease: the token is no longer the run's, or the run is over.
        ReportError: the report is not one that we would record.
    """
    text = report.to_json()
    Report.from_json(text)
    with transaction.atomic():
        held = _held(run, token)
        held.state = RunState.DONE
        held.report = text.decode()
        held.score, held.max_score = report.score, report.max_score
        held.executed_sha = executed_sha
        held.rendering_not_before = None if held.trial else now
        held.finished_at = now
        held.lease_until = None
        held.fault = ""
        held.save()
        _learn_pace(held)
        scores = {"score": report.score, "max_score": report.max_score, "token": token}
        audit.record("labs.run-graded", held, actor=None, at=now, data=scores)
    log(logger, "labs.run.graded", run=run, token=token, status=report.status, total_s=report.timing.total_s)


def record_fault(*, run: UUID, token: int, fault: str, now: datetime) -> RunState:
    """Our infrastructure failed under a run: queue it again after a rest, or give up after RUN_MAX_TRIES.

    It costs the student no attempt. Returns the state that the run is in now.

    Raises:
        LostLease: the token is no longer the run's, or the run is over.
    """
    with transaction.atomic():
        held = _held_with_lane(run, token)
        _set_back(held, fault, now)
    log(logger, "labs.run.fault", logging.ERROR, run=run, token=token, tries=held.tries, state=held.state, fault=fault)
    return RunState(held.state)


def release(*, run: UUID, token: int, now: datetime) -> None:
    """Give a run back untouched, as a worker does that is told to stop. It costs no try.

    Raises:
        LostLease: the token is no longer the run's, or the run is over.
    """
    with transaction.atomic():
        held = _held_with_lane(run, token)
        held.tries -= 1
        queue.put_back(held, now)
        audit.record("labs.run-released", held, actor=None, at=now, data={"token": token})
        announce.after_commit(queue.GRADE_NEXT)
    log(logger, "labs.run.released", run=run, token=token)


def reap(*, now: datetime) -> Reaped:
    """As `take_back`; and mend the queue's counts, and tell the workers to look if anything waits. Run it often."""
    reaped = take_back(now=now)
    queue.repair()
    if has_work(now=now):
        announce.after_commit(queue.GRADE_NEXT, expires_s=settings.RUN_LEASE_SECONDS)
    return reaped


def take_back(*, now: datetime) -> Reaped:
    """Queue again what a silent worker held. One query where there is nothing."""
    requeued = failed = 0
    silent = GradingRun.objects.filter(state=RunState.RUNNING, lease_until__lt=now).order_by("lease_until")
    for uuid, token in list(silent.values_list("uuid", "token")):
        with transaction.atomic():
            try:
                run = _held_with_lane(uuid, token)
            except LostLease:
                continue
            if run.lease_until is None or run.lease_until >= now:
                continue
            _set_back(run, f"The worker {run.worker} fell silent.", now, rest=False)
        log(logger, "labs.run.reaped", logging.WARNING, run=run.uuid, worker=run.worker, state=run.state)
        if run.state == RunState.FAILED:
            failed += 1
        else:
            requeued += 1
    return Reaped(requeued, failed)


def has_work(*, now: datetime) -> bool:
    """Whether `claim_next` or `claim_rendering` would find something."""
    return queue.head(now) is not None or rendering.is_waiting(now)


def _claim(run: GradingRun, worker: str, now: datetime) -> ClaimedRun:
    run.state = RunState.RUNNING
    run.worker = worker
    run.token += 1
    run.tries += 1
    run.seed = secrets.randbits(63)
    run.started_at = now
    run.lease_until = now + timedelta(seconds=settings.RUN_LEASE_SECONDS)
    run.phase, run.cell, run.of, run.question = "starting", 0, 0, ""
    run.save()
    audit.record("labs.run-claimed", run, actor=None, at=now, data={"worker": worker, "token": run.token})
    submission = run.submission
    return ClaimedRun(
        run=run.uuid,
        token=run.token,
        seed=run.seed,
        tries=run.tries,
        submission=submission.uuid,
        lab=f"{submission.version.course.slug}/{submission.lab_slug}",
        bundle=catalog.lab_in(run.version or submission.version, submission.lab_slug).bundle,
        notebook_sha=submission.notebook_sha,
        queued_at=run.queued_at,
        started_at=now,
        lease_until=run.lease_until,
        fault=run.fault,
    )


def _held(run: UUID, token: int) -> GradingRun:
    held = GradingRun.objects.select_for_update().filter(uuid=run, token=token, state=RunState.RUNNING).first()
    if held is None:
        raise LostLease(f"Run {run} is no longer held under token {token}.")
    return held


def _held_with_lane(run: UUID, token: int) -> GradingRun:
    """As `_held`, for who will put the run back: with its lane, which is locked first, as by every claim."""
    lane = queue.lane_around(run)
    held = _held(run, token)
    held.lane = lane or held.lane
    return held


def _set_back(run: GradingRun, fault: str, now: datetime, *, rest: bool = True) -> None:
    # Neither database stores a lone surrogate, nor PostgreSQL a null character; what a student wrote may hold both.
    run.fault = fault.encode("utf-8", "replace").decode().replace("\0", "")[:MAX_FAULT_CHARS]
    data = {"fault": run.fault, "tries": run.tries, "token": run.token}
    if rules.is_given_up(run.tries, settings.RUN_MAX_TRIES):
        run.state = RunState.FAILED
        run.finished_at = now
        run.lease_until = None
        run.save()
        audit.record("labs.run-failed", run, actor=None, at=now, data=data)
    else:
        queue.put_back(run, now + rules.back_off(run.tries) if rest else now)
        audit.record("labs.run-set-back", run, actor=None, at=now, data=data)


def _learn_pace(run: GradingRun) -> None:
    if run.started_at is None or run.finished_at is None:
        return
    course, lab_slug = Submission.objects.values_list("klass__course", "lab_slug").get(pk=run.submission_id)
    kept = LabPace.objects.select_for_update().filter(course=course, lab_slug=lab_slug).first()
    if kept is None:
        zero = {"runs": 0, "mean_s": 0.0, "mean_square": 0.0}
        kept, _ = LabPace.objects.get_or_create(course_id=course, lab_slug=lab_slug, defaults=zero)
    took = max((run.finished_at - run.started_at).total_seconds(), 0.0)
    pace = rules.Pace(kept.runs, kept.mean_s, kept.mean_square).after(took)
    kept.runs, kept.mean_s, kept.mean_square = pace.runs, pace.mean_s, pace.mean_square
    kept.save()
