"""DATABASE_URL, or SQLite in the data folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def from_environment(data_dir: Path) -> dict[str, Any]:
    """Django's settings for the database that DATABASE_URL names.

    Raises:
        ImproperlyConfigured: the address is not one of SQLite or PostgreSQL.
    """
    url = os.environ.get("DATABASE_URL") or f"sqlite:///{data_dir / 'ridgepoint.sqlite3'}"
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(parts.path.removeprefix("/"))
    if parts.scheme in ("postgres", "postgresql"):
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.removeprefix("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise ImproperlyConfigured("DATABASE_URL must start with sqlite:/// or postgresql://.")


def _sqlite(name: str) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {
            # Writers queue at BEGIN instead of failing when a read turns into a write.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;",
        },
    }
