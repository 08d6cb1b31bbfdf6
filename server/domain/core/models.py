from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models

from server.domain.core.errors import Conflict


class Identified(models.Model):
    """A row with a name for outsiders: foreign keys stay inside, UUIDs go out."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta:
        abstract = True


class AuditEvent(models.Model):
    """Who did what to which row, and when. Written once, in the transaction of what it tells of."""

    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    verb = models.CharField(max_length=64)
    target_type = models.CharField(max_length=64)
    target_id = models.UUIDField()
    data = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["target_type", "target_id", "at"], name="audit_by_target"),
            models.Index(fields=["at"], name="audit_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.target_type} {self.target_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise Conflict("An audit event can't be changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise Conflict("An audit event can't be deleted.")
