"""The only place that reads the wall clock. Actions and queries are told the time as `now=`."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone


def now() -> datetime:
    return timezone.now()
