from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models

from server.domain.core.models import Identified


class User(Identified, AbstractUser):
    """Someone who signs in. What they may do is a matter of each class: see catalog.Membership."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    name = models.CharField(max_length=150)

    REQUIRED_FIELDS = ["email", "name"]

    def __str__(self) -> str:
        return self.name or self.username

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name
