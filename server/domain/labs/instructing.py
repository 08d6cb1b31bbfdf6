"""What an instructor does to a single submission."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction

from server.domain.accounts.models import User
from server.domain.catalog import queries as catalog
from server.domain.catalog.models import Role
from server.domain.core import audit
from server.domain.core.errors import Conflict, Denied, NotFound
from server.domain.labs import queue, rules
from server.domain.labs.models import RunKind, RunState, Submission


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
        queue.add(held, RunKind.INTERACTIVE, now, like=newest)


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
        queue.add(held, RunKind.REGRADE, now, like=rules.current(held.runs.all()))


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
