"""How runs come into the queue and leave it. What is queued, and in which order it goes, is decided here alone.

Interactive before regrade; of each kind, classes in turn; of each class, students in turn. Whoever locks both locks the
lane before its runs.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max, OuterRef, Q, Subquery

from server.domain.core import announce, audit
from server.domain.core.events import log
from server.domain.labs import rules
from server.domain.labs.models import GradingRun, Lane, RunKind, RunState, Submission

GRADE_NEXT: Final = "labs.grade_next"
FRONT: Final = 0
TOLD_AT_ONCE: Final = 8

logger = logging.getLogger(__name__)


class Head(NamedTuple):
    """The run whose turn it is, and of which lane's which turn."""

    lane: int
    turn: int
    run: int


def lane_of(klass_id: int, kind: int) -> Lane:
    """Lock the lane of a class's runs of one kind; made when first asked for."""
    lanes = Lane.objects.select_for_update(no_key=True).filter(klass_id=klass_id, kind=kind)
    lane = lanes.first()
    if lane is None:
        Lane.objects.get_or_create(klass_id=klass_id, kind=kind)
        lane = lanes.get()
    return lane


def lane_around(run: UUID) -> Lane | None:
    """Lock the lane of a run; None if there is no such run."""
    return Lane.objects.select_for_update(no_key=True, of=("self",)).filter(runs__uuid=run).first()


def add(submission: Submission, kind: RunKind, now: datetime, *, like: GradingRun | None = None) -> GradingRun:
    """Add a run, graded with the tests that `like` was, and announce it.

    The caller holds the student's or the submission's row.
    """
    number: int | None = submission.runs.aggregate(latest=Max("number"))["latest"]
    version_id = None if like is None else like.version_id
    run = GradingRun(submission=submission, version_id=version_id, number=(number or 0) + 1)
    add_all([run], lane_of(submission.klass_id, kind), now)
    audit.record("labs.run-queued", run, actor=None, at=now, data={"submission": str(submission.uuid)})
    announce.after_commit(GRADE_NEXT)
    return run


def add_all(runs: Sequence[GradingRun], lane: Lane, now: datetime) -> None:
    """Save new runs of the lane's class, the earlier in `runs` the earlier in the queue. The caller holds the lane."""
    students = {run.submission.user_id for run in runs}
    earlier = GradingRun.objects.filter(lane=lane, submission__user__in=students).order_by()
    turns = dict(earlier.values_list("submission__user").annotate(last=Max("turn")))
    for run in runs:
        student = run.submission.user_id
        turns[student] = run.turn = rules.turn_of(lane.round, turns.get(student))
        run.lane, run.kind, run.state = lane, lane.kind, RunState.QUEUED
        run.queued_at = run.not_before = now
    # A place at the front belongs to a run that was set back and still rests, not to what comes in meanwhile.
    ready = GradingRun.objects.filter(lane=lane, state=RunState.QUEUED, not_before__lte=now)
    if not lane.waiting or (lane.turn == FRONT and not ready.exists()):
        lane.turn = _behind_all()
    GradingRun.objects.bulk_create(runs, batch_size=200)
    lane.arrivals = rules.faded(lane.arrivals, lane.arrivals_at, now) + len(runs)
    lane.arrivals_at = now
    _count(lane, runs, 1)


def announce_many(runs: int) -> None:
    """Tell a few workers, not one for each of very many runs: each that finds more tells the next."""
    announce.after_commit(GRADE_NEXT, times=min(runs, TOLD_AT_ONCE))


def put_back(run: GradingRun, not_before: datetime) -> None:
    """Queue a held run again, before those of its class that came later. The caller holds its lane and the run.

    Where nothing else of the class waits, the class has its place among the others again, too. Only there: or one whose
    every run breaks the grader would be the first for ever.
    """
    run.state = RunState.QUEUED
    run.not_before = not_before
    run.lease_until = None
    run.phase, run.cell, run.of, run.question = "", 0, 0, ""
    run.save()
    if not run.lane.waiting:
        run.lane.turn = FRONT
    _count(run.lane, [run], 1)


def withdraw(runs: Sequence[GradingRun], lane: Lane) -> None:
    """Take queued runs out of the count; the caller holds lane and runs, and says what becomes of them."""
    _count(lane, runs, -1)


def head(now: datetime) -> Head | None:
    """The run whose turn it is now, or None. A lane whose runs all rest after faults of ours is passed over."""
    ready = GradingRun.objects.filter(lane=OuterRef("pk"), state=RunState.QUEUED, not_before__lte=now)
    first = Subquery(ready.order_by("turn", "pk").values("pk")[:1])
    lanes = Lane.objects.filter(waiting__gt=0).annotate(first=first).filter(first__isnull=False)
    found = lanes.order_by("kind", "turn", "pk").values_list("pk", "turn", "first").first()
    return None if found is None else Head(*found)


def take(next_up: Head, now: datetime) -> GradingRun | None:
    """Lock that run and move its lane behind all others, or None: somebody was faster, so look for the head again."""
    lane = Lane.objects.select_for_update(no_key=True).filter(pk=next_up.lane, turn=next_up.turn).first()
    if lane is None:
        return None
    run = (
        GradingRun.objects.select_for_update(of=("self",))
        .select_related("submission__version__course", "version")
        .filter(pk=next_up.run, state=RunState.QUEUED, not_before__lte=now)
        .first()
    )
    if run is None:
        return None
    lane.round = max(lane.round, run.turn)
    lane.turn = _behind_all()
    _count(lane, [run], -1)
    return run


def repair() -> int:
    """Count anew what waits in each lane, and mend what differs. Returns how many lanes did."""
    queued = GradingRun.objects.filter(state=RunState.QUEUED).order_by()
    counts = dict(queued.values_list("lane").annotate(count=Count("pk")))
    wrong = [
        lane
        for lane, waiting in Lane.objects.filter(Q(waiting__gt=0) | Q(pk__in=counts)).values_list("pk", "waiting")
        if waiting != counts.get(lane, 0)
    ]
    return sum(_repair(lane) for lane in wrong)


def _repair(pk: int) -> bool:
    """Once more with the lane locked: the first look may have met somebody at work."""
    with transaction.atomic():
        lane = Lane.objects.select_for_update(no_key=True).get(pk=pk)
        queued = GradingRun.objects.filter(lane=lane, state=RunState.QUEUED).order_by()
        labs = dict(queued.values_list("submission__lab_slug").annotate(count=Count("pk")))
        counted = lane.waiting
        if counted == sum(labs.values()):
            return False
        lane.labs, lane.waiting = labs, sum(labs.values())
        lane.save(update_fields=["labs", "waiting"])
    log(logger, "labs.lane.repaired", logging.WARNING, lane=pk, counted=counted, waiting=lane.waiting)
    return True


def _count(lane: Lane, runs: Sequence[GradingRun], step: int) -> None:
    for run in runs:
        slug = run.submission.lab_slug
        lane.labs[slug] = lane.labs.get(slug, 0) + step
    lane.labs = {slug: count for slug, count in lane.labs.items() if count > 0}
    # Never below none: a wrong count is the reaper's to mend, and must not stop a claim.
    lane.waiting = max(lane.waiting + step * len(runs), 0)
    lane.save(update_fields=["turn", "round", "waiting", "labs", "arrivals", "arrivals_at"])


def _behind_all() -> int:
    last: int | None = Lane.objects.aggregate(last=Max("turn"))["last"]
    return (last or 0) + 1
