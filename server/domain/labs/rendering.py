"""Readable copies of executed notebooks: made after the score is safe, by whichever worker has nothing to grade."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from server.domain.core import audit
from server.domain.labs.models import GradingRun, RunState

RENDERING_LEASE: Final = timedelta(minutes=2)
MOST_RENDERINGS: Final = 8


@dataclass(frozen=True)
class Rendering:
    run: UUID
    executed_sha: str


def claim_rendering(*, now: datetime) -> Rendering | None:
    """Take a graded run whose executed notebook has no rendered copy yet, or None.

    Nobody else gets it for RENDERING_LEASE, after a second try for twice as long, and so on: a disk that was full for
    hours costs no page. After MOST_RENDERINGS it stays unrendered.
    """
    with transaction.atomic():
        run = _unrendered(now).select_for_update(skip_locked=True).order_by("rendering_not_before", "id").first()
        if run is None:
            return None
        run.rendering_tries += 1
        given_up = run.rendering_tries >= MOST_RENDERINGS
        run.rendering_not_before = None if given_up else now + RENDERING_LEASE * 2 ** (run.rendering_tries - 1)
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


def is_waiting(now: datetime) -> bool:
    """Whether `claim_rendering` would find something."""
    return _unrendered(now).exists()


def _unrendered(now: datetime) -> QuerySet[GradingRun]:
    return GradingRun.objects.filter(state=RunState.DONE, html_sha="", rendering_not_before__lte=now)
