"""The one reader of the environment: typed, and loud about what is wrong.

Every value may stand in a file instead, named by the variable with `_FILE` behind it: that is how container
engines hand over secrets.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

PREFIX = "RIDGEPOINT_"


def value(variable: str) -> str | None:
    """The variable as set, or the content of the file that <variable>_FILE names; None when neither is set."""
    path = os.environ.get(f"{variable}_FILE")
    if not path:
        return os.environ.get(variable) or None
    try:
        return Path(path).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{variable}_FILE can't be read: {error}.") from error


def require(*variables: str) -> None:
    """Stops the program when any of these is unset, and names every one of them."""
    missing = [variable for variable in variables if not value(variable)]
    if missing:
        raise ImproperlyConfigured(
            f"Set {', '.join(missing)}: this program can't start without. "
            "docs/operations.md says what each is, and how to give it as a file."
        )


def text(name: str, default: str | None = None) -> str:
    """The variable RIDGEPOINT_<name>, or the default; without one, an unset variable stops the program."""
    found = value(PREFIX + name)
    if found is not None:
        return found
    if default is None:
        require(PREFIX + name)
    return default or ""


def secret(name: str) -> str:
    """As `text`, without a default; at least 32 characters."""
    found = text(name)
    if len(found) < 32:
        raise ImproperlyConfigured(f"{PREFIX}{name} is too short: at least 32 characters, please.")
    return found


def boolean(name: str, default: bool) -> bool:
    found = value(PREFIX + name)
    if found is None:
        return default
    if found not in ("0", "1"):
        raise ImproperlyConfigured(f"{PREFIX}{name} is {found!r}: write 0 or 1.")
    return found == "1"


def integer(name: str, default: int, least: int = 0) -> int:
    found = value(PREFIX + name)
    if found is None:
        return default
    if not found.isascii() or not found.isdigit() or int(found) < least:
        raise ImproperlyConfigured(f"{PREFIX}{name} is {found!r}: write a whole number of at least {least}.")
    return int(found)


def choice(name: str, default: str, *others: str) -> str:
    """One of these words."""
    found = text(name, default)
    if found not in (default, *others):
        raise ImproperlyConfigured(f"{PREFIX}{name} is {found!r}: write {' or '.join((default, *others))}.")
    return found


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list; empty items are dropped."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def path(name: str, default: Path) -> Path:
    return Path(value(PREFIX + name) or default).absolute()
