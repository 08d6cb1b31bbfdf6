"""What changes submissions and grading runs. Each action is one transaction that leaves its audit event.

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
from django.db.models import Max

from graders.notebook import intake
from graders.report import Report
from server.domain.accounts.models import User
from server.domain.catalog import queries as catalog
from server.domain.catalog.models import Class, Role
from server.domain.core import announce, audit, blobs
from server.domain.core.errors import Conflict, Denied, DomainError, NotFound
from server.domain.core.events import log
from server.domain.labs import rules
from server.domain.labs.models import GradingRun, RunKind, RunState, Submission

GRADE_NEXT: Final = "labs.grade_next"
RENDERING_LEASE: Final = timedelta(minutes=2)
MAX_FAULT_CHARS: Final = 500
MAX_KEY_CHARS: Final = 64

logger = logging.getLogger(__name__)


class NotAccepted(DomainError):
    """The notebook may be fine, but can't be handed in now; the message says why and what to do."""


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
    """A run that is yours until `lease_until`, and what is needed to grade it: read it with `queries.work_of`."""

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


@dataclass(frozen=True)
class Rendering:
    run: UUID
    executed_sha: str


@dataclass(frozen=True)
class Reaped:
    """Counts of runs whose worker fell silent: queued again, and given up."""

    requeued: int
    failed: int


def submit_notebook(
    *, actor: User, klass: Class, lab_slug: str, filename: str, content: bytes, idempotency_key: str, now: datetime
) -> Submission:
    """Hand in a notebook and queue its grading. The same actor and key give the same submission, however often.

    Raises:
        NotFound: the actor is not a member of the class, or it has no such lab.
        NotAccepted: the class is not open to students now, too many of theirs are waiting, or the key is none.
        Refused: the bytes are no notebook of this lab.
    """
    role = catalog.role_in(actor, klass)
    lab = catalog.lab_of(klass, lab_slug)
    if not (0 < len(idempotency_key) <= MAX_KEY_CHARS and idempotency_key.isprintable()):
        raise NotAccepted("The form was incomplete: load the page again and hand in your notebook once more.")
    if existing := _submission_with(actor, idempotency_key):
        return existing
    closed = catalog.closed_because(klass, now)
    if closed and role == Role.STUDENT:
        raise NotAccepted(closed)
    _check_waiting(actor)

    bundle = catalog.bundle(lab.bundle)
    taken = intake.normalize(content, filename=filename, max_bytes=bundle.limits.notebook_bytes)
    taken = intake.check_lab(taken, bundle.lab, starter=bundle.starter)
    raw_sha, notebook_sha = blobs.put(content), blobs.put(taken.notebook)
    with transaction.atomic():
        # One submit of a student's at a time, so that the key, attempts, limit and turns hold.
        User.objects.select_for_update(no_key=True).get(pk=actor.pk)
        if existing := _submission_with(actor, idempotency_key):
            return existing
        _check_waiting(actor)
        earlier = Submission.objects.filter(klass=klass, lab_slug=lab_slug, user=actor)
        latest: int | None = earlier.aggregate(latest=Max("attempt"))["latest"]
        submission = Submission.objects.create(
            klass=klass,
            version=klass.version,
            lab_slug=lab_slug,
            user=actor,
            attempt=(latest or 0) + 1,
            filename=taken.filename,
            raw_sha=raw_sha,
            notebook_sha=notebook_sha,
            notes=list(taken.notes),
            received_at=now,
            idempotency_key=idempotency_key,
        )
        audit.record("labs.submitted", submission, actor=actor, at=now, data={"lab": bundle.lab, "raw": raw_sha})
        _queue(submission, RunKind.INTERACTIVE, now)
    log(logger, "labs.submitted", submission=submission.uuid, lab=bundle.lab, bytes=len(content))
    return submission


def claim_next(*, worker: str, now: datetime) -> ClaimedRun | None:
    """Take the run whose turn it is, or None. Safe with any number of workers at once."""
    with transaction.atomic():
        run = (
            GradingRun.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("submission__version__course", "version")
            .filter(state=RunState.QUEUED, not_before__lte=now)
            .order_by("kind", "turn_at", "id")
            .first()
        )
        if run is None:
            return None
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
        claimed = ClaimedRun(
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
        )
    log(logger, "labs.run.claimed", run=claimed.run, lab=claimed.lab, worker=worker, token=claimed.token)
    return claimed


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
        held = _held(run, token)
        _set_back(held, fault, now)
    log(logger, "labs.run.fault", logging.ERROR, run=run, token=token, tries=held.tries, state=held.state, fault=fault)
    return RunState(held.state)


def release(*, run: UUID, token: int, now: datetime) -> None:
    """Give a run back untouched, as a worker does that is told to stop. It costs no try.

    Raises:
        LostLease: the token is no longer the run's, or the run is over.
    """
    with transaction.atomic():
        held = _held(run, token)
        held.tries -= 1
        _requeue(held, now)
        audit.record("labs.run-released", held, actor=None, at=now, data={"token": token})
        announce.after_commit(GRADE_NEXT)
    log(logger, "labs.run.released", run=run, token=token)


def reap(*, now: datetime) -> Reaped:
    """Queue again what a silent worker held, and tell the workers to look if anything waits. Run it often."""
    requeued = failed = 0
    with transaction.atomic():
        expired = GradingRun.objects.select_for_update(skip_locked=True).filter(
            state=RunState.RUNNING, lease_until__lt=now
        )
        for run in expired:
            _set_back(run, f"The worker {run.worker} fell silent.", now, rest=False)
            log(logger, "labs.run.reaped", logging.WARNING, run=run.uuid, worker=run.worker, state=run.state)
            if run.state == RunState.FAILED:
                failed += 1
            else:
                requeued += 1
        if has_work(now=now):
            announce.after_commit(GRADE_NEXT, expires_s=settings.RUN_LEASE_SECONDS)
    return Reaped(requeued, failed)


def has_work(*, now: datetime) -> bool:
    """Whether `claim_next` or `claim_rendering` would find something."""
    return (
        GradingRun.objects.filter(state=RunState.QUEUED, not_before__lte=now).exists()
        or GradingRun.objects.filter(state=RunState.DONE, html_sha="", rendering_not_before__lte=now).exists()
    )


def restart_failed(*, actor: User, submission: UUID, now: datetime) -> None:
    """Queue a fresh run for a submission whose newest run failed.

    Raises:
        NotFound: the actor may not see the submission.
        Denied: the actor is not an instructor of its class.
        Conflict: the newest run has not failed.
    """
    with transaction.atomic():
        held = _instructed(actor, submission)
        newest = rules.current(held.runs.all())
        if newest is None or newest.state != RunState.FAILED:
            raise Conflict("Grading has not failed, so there is nothing to restart.")
        audit.record("labs.restarted", held, actor=actor, at=now)
        _queue(held, RunKind.INTERACTIVE, now, like=newest)


def regrade(*, actor: User, submission: UUID, now: datetime) -> None:
    """Grade a submission once more, after everything that students wait for. The present score stays until then.

    Raises:
        NotFound: the actor may not see the submission.
        Denied: the actor is not an instructor of its class.
        Conflict: a run is still under way.
    """
    with transaction.atomic():
        held = _instructed(actor, submission)
        if any(run.state in (RunState.QUEUED, RunState.RUNNING) for run in held.runs.filter(trial=False)):
            raise Conflict("This notebook is still being graded: wait for the report.")
        audit.record("labs.regrade-asked", held, actor=actor, at=now)
        _queue(held, RunKind.REGRADE, now, like=rules.current(held.runs.all()))


def claim_rendering(*, now: datetime) -> Rendering | None:
    """Take a graded run whose executed notebook has no rendered copy yet, or None.

    Nobody else gets it for RENDERING_LEASE, then whoever asks; after RUN_MAX_TRIES it stays unrendered.
    """
    with transaction.atomic():
        run = (
            GradingRun.objects.select_for_update(skip_locked=True)
            .filter(state=RunState.DONE, html_sha="", rendering_not_before__lte=now)
            .order_by("rendering_not_before", "id")
            .first()
        )
        if run is None:
            return None
        run.rendering_tries += 1
        given_up = run.rendering_tries >= settings.RUN_MAX_TRIES
        run.rendering_not_before = None if given_up else now + RENDERING_LEASE
        run.save(update_fields=["rendering_tries", "rendering_not_before"])
        audit.record("labs.rendering-claimed", run, actor=None, at=now, data={"tries": run.rendering_tries})
    return Rendering(run.uuid, run.executed_sha)


def record_rendering(*, run: UUID, html_sha: str, now: datetime) -> None:
    """Keep the sanitized copy of a run's executed notebook; the first one stays."""
    with transaction.atomic():
        graded = GradingRun.objects.select_for_update().get(uuid=run, state=RunState.DONE)
        if graded.html_sha:
            return
        graded.html_sha = html_sha
        graded.rendering_not_before = None
        graded.save(update_fields=["html_sha", "rendering_not_before"])
        audit.record("labs.rendered", graded, actor=None, at=now)


def _submission_with(actor: User, idempotency_key: str) -> Submission | None:
    return Submission.objects.filter(user=actor, idempotency_key=idempotency_key).first()


def _check_waiting(actor: User) -> None:
    waiting = GradingRun.objects.filter(
        submission__user=actor, kind=RunKind.INTERACTIVE, state__in=(RunState.QUEUED, RunState.RUNNING)
    ).count()
    if waiting >= rules.MAX_WAITING:
        raise NotAccepted(
            f"{waiting} of your notebooks are still being graded: wait for a report before you hand in another."
        )


def _queue(submission: Submission, kind: RunKind, now: datetime, *, like: GradingRun | None = None) -> GradingRun:
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


def _held(run: UUID, token: int) -> GradingRun:
    held = GradingRun.objects.select_for_update().filter(uuid=run, token=token, state=RunState.RUNNING).first()
    if held is None:
        raise LostLease(f"Run {run} is no longer held under token {token}.")
    return held


def _set_back(run: GradingRun, fault: str, now: datetime, *, rest: bool = True) -> None:
    run.fault = fault.replace("\0", "")[:MAX_FAULT_CHARS]
    data = {"fault": run.fault, "tries": run.tries, "token": run.token}
    if rules.is_given_up(run.tries, settings.RUN_MAX_TRIES):
        run.state = RunState.FAILED
        run.finished_at = now
        run.lease_until = None
        run.save()
        audit.record("labs.run-failed", run, actor=None, at=now, data=data)
    else:
        _requeue(run, now + rules.back_off(run.tries) if rest else now)
        audit.record("labs.run-set-back", run, actor=None, at=now, data=data)


def _requeue(run: GradingRun, not_before: datetime) -> None:
    run.state = RunState.QUEUED
    run.not_before = not_before
    run.lease_until = None
    run.phase, run.cell, run.of, run.question = "", 0, 0, ""
    run.save()


def _instructed(actor: User, submission: UUID) -> Submission:
    """The submission, locked, for an instructor of its class. To a classmate it is not there at all."""
    held = (
        Submission.objects.select_for_update(of=("self",))
        .select_related("klass")
        .filter(uuid=submission, klass__memberships__user=actor)
        .first()
    )
    role = None if held is None else catalog.role_in(actor, held.klass)
    if held is None or (role == Role.STUDENT and held.user_id != actor.pk):
        raise NotFound("You have no such submission.")
    if role != Role.INSTRUCTOR:
        raise Denied("Only an instructor of the class can do this.")
    return held
