"""The audit trail: every action leaves one event, in its own transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models.options import Options

from server.domain.core.models import AuditEvent


class Target(Protocol):
    @property
    def uuid(self) -> UUID: ...

    @property
    def _meta(self) -> Options[Any]: ...


def record(
    verb: str, target: Target, *, actor: AbstractBaseUser | None, at: datetime, data: Mapping[str, Any] | None = None
) -> None:
    """Add one event. `actor` is None for the system itself: a worker, the reaper, the command line."""
    record_each(verb, [(target, data or {})], actor=actor, at=at)


def record_each(
    verb: str, targets: Iterable[tuple[Target, Mapping[str, Any]]], *, actor: AbstractBaseUser | None, at: datetime
) -> None:
    """Add one event for each target, with its data, in few queries."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("An audit event belongs into the transaction of what it tells of.")
    AuditEvent.objects.bulk_create(
        AuditEvent(
            actor_id=None if actor is None else actor.pk,
            verb=verb,
            target_type=target._meta.label_lower,
            target_id=target.uuid,
            data=dict(data),
            at=at,
        )
        for target, data in targets
    )
