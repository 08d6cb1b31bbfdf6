"""The one reader of the environment: typed, and loud about what is wrong."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

PREFIX = "RIDGEPOINT_"


def text(name: str, default: str | None = None) -> str:
    """The variable RIDGEPOINT_<name>, or the default; without one, an unset variable stops the program."""
    value = os.environ.get(PREFIX + name, default)
    if value is None or value == "":
        if default == "":
            return ""
        raise ImproperlyConfigured(f"Set {PREFIX}{name}: this program can't start without it.")
    return value


def secret(name: str) -> str:
    """As `text`, or from the file that RIDGEPOINT_<name>_FILE names; at least 32 characters."""
    path = os.environ.get(f"{PREFIX}{name}_FILE")
    if path:
        try:
            value = Path(path).read_text().strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{PREFIX}{name}_FILE can't be read: {error}.") from error
    else:
        value = text(name)
    if len(value) < 32:
        raise ImproperlyConfigured(f"{PREFIX}{name} is too short: at least 32 characters, please.")
    return value


def boolean(name: str, default: bool) -> bool:
    value = os.environ.get(PREFIX + name)
    if value is None:
        return default
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{PREFIX}{name} is {value!r}: write 0 or 1.")
    return value == "1"


def integer(name: str, default: int, least: int = 0) -> int:
    value = os.environ.get(PREFIX + name)
    if value is None:
        return default
    if not value.isascii() or not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(f"{PREFIX}{name} is {value!r}: write a whole number of at least {least}.")
    return int(value)


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list; empty items are dropped."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def path(name: str, default: Path) -> Path:
    return Path(os.environ.get(PREFIX + name) or default).absolute()
