"""What changes regrades: a lab's submissions graded anew after its tests changed, looked at, then applied or discarded.

Nothing here touches a submission, its time or its attempt number, nor anything but runs: whatever stands above a
run's score, as an instructor's override does, stays as it is.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max

from server.domain.accounts.models import User
from server.domain.catalog import actions as classes
from server.domain.catalog import queries as catalog
from server.domain.catalog.models import Class, CourseVersion, Role
from server.domain.core import audit
from server.domain.core.errors import Conflict, Denied, DomainError, NotFound
from server.domain.core.events import log
from server.domain.labs import queue, trials
from server.domain.labs.models import GradingRun, Regrade, RegradeState, RunKind, RunState, Submission
from server.domain.labs.regrade_rules import TAKEN, Effect
from server.domain.labs.trials import Comparison

MAX_REASON_CHARS: Final = 500

logger = logging.getLogger(__name__)


class Incomplete(DomainError):
    """What was asked for lacks something; the message says what to give."""


@dataclass(frozen=True)
class Applied:
    """Counts of submissions: whose new report counts now, that keep a higher score, and that could not be graded."""

    taken: int
    kept: int
    failed: int


def ask(
    *,
    actor: User | None,
    klass: Class,
    lab_slug: str,
    version: CourseVersion,
    reason: str,
    now: datetime,
    keep_higher: bool = True,
    also_current: bool = False,
) -> Regrade:
    """Grade every attempt that other tests graded with those of `version`, for a preview. No score changes yet.

    All attempts, not only those that count: which one counts may change with the tests. `also_current` adds those
    that the same tests graded already. `actor` is None for the operator.

    Raises:
        NotFound: the actor is no member of the class's staff, or the version is not one of its course with this lab.
        Denied: the actor is an assistant.
        Incomplete: there is no reason, or it is too long.
        Conflict: another regrade of the lab is open, or these tests graded everything already.
    """
    reason = " ".join(reason.replace("\0", "").split())
    with transaction.atomic():
        _must_instruct(actor, klass)
        if version.course_id != klass.course_id:
            raise NotFound("This course has no such version.")
        catalog.lab_in(version, lab_slug)
        if not reason:
            raise Incomplete(
                "Say why the lab is graded again: it stands in the record, and students whose report changes read it."
            )
        if len(reason) > MAX_REASON_CHARS:
            raise Incomplete(f"The reason has {len(reason)} characters: shorten it to {MAX_REASON_CHARS}.")
        Class.objects.select_for_update(no_key=True).get(pk=klass.pk)
        if Regrade.objects.filter(klass=klass, lab_slug=lab_slug, state=RegradeState.OPEN).exists():
            raise Conflict("A regrade of this lab is open already: apply or discard that one first.")
        regrade = Regrade.objects.create(
            klass=klass,
            lab_slug=lab_slug,
            version=version,
            also_current=also_current,
            keep_higher=keep_higher,
            reason=reason,
            asked_by=actor,
            asked_at=now,
        )
        submissions = _outdated(regrade)
        if not submissions:
            raise Conflict("These tests graded every notebook of this lab already, so nothing would change.")
        data = {"lab": lab_slug, "version": version.number, "keep_higher": keep_higher, "reason": reason}
        audit.record(
            "labs.regrade-opened", regrade, actor=actor, at=now, data={**data, "submissions": len(submissions)}
        )
        _try(regrade, submissions, now)
    log(logger, "labs.regrade.asked", regrade=regrade.uuid, lab=lab_slug, submissions=len(submissions))
    return regrade


def add_latecomers(*, actor: User | None, regrade: UUID, now: datetime) -> int:
    """Try also what came in since the regrade was asked for, graded with other tests. Returns how many.

    Raises:
        NotFound, Denied: as `ask`.
        Conflict: the regrade is closed, or there is nothing to add.
    """
    with transaction.atomic():
        held = _open(actor, regrade)
        submissions = _outdated(held)
        if not submissions:
            raise Conflict("Nothing was handed in since that these tests have not graded.")
        audit.record("labs.regrade-extended", held, actor=actor, at=now, data={"submissions": len(submissions)})
        _try(held, submissions, now)
    return len(submissions)


def try_failed_again(*, actor: User | None, regrade: UUID, now: datetime) -> int:
    """Queue a fresh trial wherever the newest one failed. Returns how many.

    Raises:
        NotFound, Denied: as `ask`.
        Conflict: the regrade is closed, or no trial failed.
    """
    with transaction.atomic():
        held = _open(actor, regrade)
        found = trials.compare(held, trials.runs_by_submission(held.klass_id, held.lab_slug))
        failed = [each.submission for each in found if each.trial.state == RunState.FAILED]
        if not failed:
            raise Conflict("No notebook of this regrade has failed, so there is nothing to restart.")
        audit.record("labs.regrade-restarted", held, actor=actor, at=now, data={"submissions": len(failed)})
        _try(held, failed, now)
    return len(failed)


def apply(*, actor: User | None, regrade: UUID, seen: str, now: datetime, move_class: bool = False) -> Applied:
    """Let the trials count: all of them or, with keep-higher, those that are no worse than what counts now.

    What could not be graded keeps its score. `seen` is the preview's fingerprint: nothing else is applied than what
    the actor looked at. With `move_class`, the class follows the regrade's version from then on.

    Raises:
        NotFound, Denied: as `ask`.
        Conflict: the regrade is closed, a run is under way, no trial succeeded, or the preview has changed.
    """
    with transaction.atomic():
        held = _open(actor, regrade)
        if move_class:  # first: `ask`, too, locks the class before submissions
            classes.use_version(actor=actor, klass=held.klass, version=held.version, now=now)
        # Held until the end, so that no run is queued, numbered or restarted beside this.
        list(trials.submissions_of(held).select_for_update(of=("self",), no_key=True).order_by("pk").values_list("pk"))
        found = trials.compare(held, trials.runs_by_submission(held.klass_id, held.lab_slug))
        _must_be_ready(found, seen)
        taken = [each for each in found if each.effect in TAKEN]
        kept = sum(each.effect == Effect.KEEPS for each in found)
        result = Applied(len(taken), kept, len(found) - len(taken) - kept)
        _let_count(held, found, now)
        _close(held, RegradeState.APPLIED, actor, now)
        data = {"taken": result.taken, "kept": result.kept, "failed": result.failed, "reason": held.reason}
        audit.record("labs.regrade-applied", held, actor=actor, at=now, data=data)
        changed = [(each.submission, _told(held, each)) for each in taken]
        audit.record_each("labs.regraded", changed, actor=actor, at=now)
        queue.announce_many(len(taken))  # the accepted notebooks have no readable copy yet
    log(logger, "labs.regrade.applied", regrade=regrade, taken=result.taken, kept=result.kept, failed=result.failed)
    return result


def discard(*, actor: User | None, regrade: UUID, now: datetime) -> None:
    """Give a regrade up: no score changes, and what still waits is not graded.

    Raises:
        NotFound, Denied: as `ask`.
        Conflict: the regrade is closed.
    """
    with transaction.atomic():
        held = _open(actor, regrade)
        lane = queue.lane_of(held.klass_id, RunKind.REGRADE)
        under_way = held.runs.filter(state__in=trials.UNDER_WAY)
        runs = list(under_way.select_for_update(of=("self",)).select_related("submission").order_by("pk"))
        queue.withdraw([run for run in runs if run.state == RunState.QUEUED], lane)
        # A raised token takes the run from the worker that holds it.
        ended = under_way.update(
            state=RunState.FAILED,
            token=F("token") + 1,
            fault="The regrade was discarded before this was graded.",
            finished_at=now,
            lease_until=None,
        )
        _close(held, RegradeState.DISCARDED, actor, now)
        audit.record("labs.regrade-discarded", held, actor=actor, at=now, data={"not_graded": ended})
    log(logger, "labs.regrade.discarded", regrade=regrade, not_graded=ended)


def _outdated(regrade: Regrade) -> list[Submission]:
    versions = catalog.lab_versions(regrade.version.course_id, regrade.lab_slug)
    return trials.outdated(regrade, trials.runs_by_submission(regrade.klass_id, regrade.lab_slug), versions)


def _must_be_ready(found: Sequence[Comparison], seen: str) -> None:
    if waiting := sum(each.effect == Effect.WAITING for each in found):
        are = "is" if waiting == 1 else "are"
        raise Conflict(f"{waiting} of these notebooks {are} still being graded: wait for that, then apply.")
    if not any(each.new for each in found):
        raise Conflict("No notebook could be graded, so there is nothing to apply: restart them, or discard this.")
    if trials.fingerprint(found) != seen:
        raise Conflict("Something changed since you looked: this is how it is now. Look again, then apply.")


def _let_count(regrade: Regrade, found: Sequence[Comparison], now: datetime) -> None:
    """Accepted trials become their submissions' newest runs, whatever was queued or restarted after them."""
    newest = _newest_numbers(regrade)
    for each in found:
        each.trial.compared_with = each.before
        if each.effect in TAKEN:
            each.trial.trial = False
            each.trial.number = newest[each.trial.submission_id] + 1
            each.trial.rendering_not_before = now
    fields = ["compared_with", "trial", "number", "rendering_not_before"]
    GradingRun.objects.bulk_update([each.trial for each in found], fields, batch_size=200)


def _told(regrade: Regrade, each: Comparison) -> dict[str, object]:
    before, after = each.old, each.new
    return {
        "regrade": str(regrade.uuid),
        "run": str(each.trial.uuid),
        "before": before and [before.points, before.most],
        "after": after and [after.points, after.most],
        "reason": regrade.reason,
    }


def _close(regrade: Regrade, state: RegradeState, actor: User | None, now: datetime) -> None:
    regrade.state, regrade.closed_by, regrade.closed_at = state, actor, now
    regrade.save(update_fields=["state", "closed_by", "closed_at"])


def _try(regrade: Regrade, submissions: Sequence[Submission], now: datetime) -> None:
    """Queue a trial of each. The caller holds the regrade's row, or has just made it."""
    locked = trials.submissions_of(regrade).select_for_update(of=("self",), no_key=True).order_by("pk")
    list(locked.values_list("pk"))
    newest = _newest_numbers(regrade)
    runs = [
        GradingRun(
            submission=submission,
            version_id=regrade.version_id,
            regrade=regrade,
            trial=True,
            number=newest[submission.pk] + 1,
        )
        for submission in submissions
    ]
    queue.add_all(runs, queue.lane_of(regrade.klass_id, RunKind.REGRADE), now)
    queued = [(run, {"submission": str(run.submission.uuid), "regrade": str(regrade.uuid)}) for run in runs]
    audit.record_each("labs.run-queued", queued, actor=None, at=now)
    queue.announce_many(len(runs))


def _newest_numbers(regrade: Regrade) -> dict[int, int]:
    submissions = trials.submissions_of(regrade).order_by()
    return dict(submissions.annotate(newest=Max("runs__number")).values_list("pk", "newest"))


def _open(actor: User | None, regrade: UUID) -> Regrade:
    """The regrade, locked, for an instructor of its class, while it is open."""
    held = (
        Regrade.objects.select_for_update(of=("self",))
        .select_related("klass", "version", "closed_by")
        .filter(uuid=regrade)
        .first()
    )
    if held is None:
        raise NotFound("You have no such regrade.")
    _must_instruct(actor, held.klass)
    if held.state != RegradeState.OPEN:
        by = f" by {held.closed_by}" if held.closed_by else ""
        raise Conflict(f"This regrade was {held.state} already{by}.")
    return held


def _must_instruct(actor: User | None, klass: Class) -> None:
    """To others than the staff, a class has no regrades at all."""
    if actor is None:
        return
    if not catalog.may_see_submissions(actor, klass):
        raise NotFound("You have no such regrade.")
    if catalog.role_in(actor, klass) != Role.INSTRUCTOR:
        raise Denied("Only an instructor of the class can do this.")
