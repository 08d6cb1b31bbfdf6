"""DATABASE_URL, or SQLite in the data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from server.settings import env


def from_environment(data_dir: Path) -> dict[str, Any]:
    """Django's settings for the database that DATABASE_URL names; DATABASE_PASSWORD, if set, is its password.

    Raises:
        ImproperlyConfigured: the address is not one of SQLite or PostgreSQL.
    """
    url = env.value("DATABASE_URL") or f"sqlite:///{data_dir / 'ridgepoint.sqlite3'}"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        # The address itself stays out of the message: it may hold a password.
        raise ImproperlyConfigured("DATABASE_URL is not an address: its host or port can't be read.") from error
    if parts.scheme == "sqlite":
        return _sqlite(unquote(parts.path.removeprefix("/")))
    if parts.scheme in ("postgres", "postgresql"):
        name = unquote(parts.path.removeprefix("/"))
        if not name:
            raise ImproperlyConfigured("DATABASE_URL names no database: postgresql://user@host/name.")
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": name,
            "USER": unquote(parts.username or ""),
            "PASSWORD": env.value("DATABASE_PASSWORD") or unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(port or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    raise ImproperlyConfigured("DATABASE_URL must start with sqlite:/// or postgresql://.")


def _sqlite(name: str) -> dict[str, Any]:
    if not name:
        raise ImproperlyConfigured("DATABASE_URL names no file: sqlite:////var/lib/ridgepoint/ridgepoint.sqlite3.")
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {
            # Writers queue at BEGIN instead of failing when a read turns into a write.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            # FULL: what a student saw confirmed survives a power failure too.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=20000;",
        },
    }
