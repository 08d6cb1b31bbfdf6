"""How a student hands in."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max

from graders.notebook import intake
from server.domain.accounts.models import User
from server.domain.catalog import queries as catalog
from server.domain.catalog.models import Class, Role
from server.domain.core import audit, blobs
from server.domain.core.errors import DomainError
from server.domain.core.events import log
from server.domain.labs import queue, rules
from server.domain.labs.models import GradingRun, RunKind, RunState, Submission

MAX_KEY_CHARS: Final = 64

logger = logging.getLogger(__name__)


class NotAccepted(DomainError):
    """The notebook may be fine, but can't be handed in now; the message says why and what to do."""


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
        queue.add(submission, RunKind.INTERACTIVE, now)
    log(logger, "labs.submitted", submission=submission.uuid, lab=bundle.lab, bytes=len(content))
    return submission


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
