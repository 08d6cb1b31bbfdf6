"""What changes submissions and grading runs. Each action is one transaction that leaves its audit event."""

from __future__ import annotations

from server.domain.labs.grading import (
    ClaimedRun,
    LostLease,
    Progress,
    Reaped,
    claim_next,
    has_work,
    heartbeat,
    reap,
    record_fault,
    record_report,
    release,
    take_back,
)
from server.domain.labs.instructing import regrade, restart_failed
from server.domain.labs.queue import GRADE_NEXT
from server.domain.labs.rendering import MOST_RENDERINGS, RENDERING_LEASE, Rendering, claim_rendering, record_rendering
from server.domain.labs.restarting import restart_all_failed
from server.domain.labs.submitting import NotAccepted, submit_notebook

__all__ = [
    "GRADE_NEXT",
    "MOST_RENDERINGS",
    "RENDERING_LEASE",
    "ClaimedRun",
    "LostLease",
    "NotAccepted",
    "Progress",
    "Reaped",
    "Rendering",
    "claim_next",
    "claim_rendering",
    "has_work",
    "heartbeat",
    "reap",
    "record_fault",
    "record_rendering",
    "record_report",
    "regrade",
    "release",
    "restart_all_failed",
    "restart_failed",
    "submit_notebook",
    "take_back",
]
