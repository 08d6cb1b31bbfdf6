"""Restarting all that failed of a class at once, as after a fault of ours that met many."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import OuterRef, Subquery

from server.domain.accounts.models import User
from server.domain.catalog import queries as catalog
from server.domain.catalog.models import Class, Role
from server.domain.core import audit
from server.domain.core.errors import Conflict, Denied, NotFound
from server.domain.labs import queue, rules
from server.domain.labs.models import GradingRun, RunKind, RunState, Submission


def restart_all_failed(*, actor: User, klass: Class, lab_slug: str | None, now: datetime) -> int:
    """Queue a fresh run for each submission of a lab, or of all labs, whose newest run failed. Returns how many.

    Raises:
        NotFound: the actor is not on the class's staff.
        Denied: the actor is an assistant.
        Conflict: none has failed.
    """
    if not catalog.may_see_submissions(actor, klass):
        raise NotFound("You have no such class.")
    if catalog.role_in(actor, klass) != Role.INSTRUCTOR:
        raise Denied("Only an instructor of the class can do this.")
    with transaction.atomic():
        # Locked first and looked at afterwards: somebody may be restarting one of them.
        held = Submission.objects.select_for_update(of=("self",), no_key=True).filter(
            klass=klass, pk__in=_failed(klass)
        )
        if lab_slug is not None:
            held = held.filter(lab_slug=lab_slug)
        submissions = list(held.select_related("user").order_by("pk"))
        runs: dict[int, list[GradingRun]] = {each.pk: [] for each in submissions}
        for run in GradingRun.objects.filter(submission__in=submissions).defer("report"):
            runs[run.submission_id].append(run)
        fresh = [again for each in submissions if (again := _after(each, runs[each.pk]))]
        if not fresh:
            raise Conflict("No grading has failed here, so there is nothing to restart.")
        queue.add_all(fresh, queue.lane_of(klass.pk, RunKind.INTERACTIVE), now)
        audit.record_each("labs.restarted", [(run.submission, {}) for run in fresh], actor=actor, at=now)
        queued = [(run, {"submission": str(run.submission.uuid)}) for run in fresh]
        audit.record_each("labs.run-queued", queued, actor=None, at=now)
        queue.announce_many(len(fresh))
    return len(fresh)


def _failed(klass: Class) -> Subquery:
    newest = GradingRun.objects.filter(submission=OuterRef("pk"), trial=False).order_by("-number")
    states = Submission.objects.filter(klass=klass).annotate(newest_state=Subquery(newest.values("state")[:1]))
    return Subquery(states.filter(newest_state=RunState.FAILED).values("pk"))


def _after(submission: Submission, runs: list[GradingRun]) -> GradingRun | None:
    newest = rules.current(runs)
    if newest is None or newest.state != RunState.FAILED:
        return None
    number = max(run.number for run in runs) + 1
    return GradingRun(submission=submission, version_id=newest.version_id, number=number)
