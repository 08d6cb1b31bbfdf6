"""A program that does nothing, to see whether forking works."""

from __future__ import annotations

from collections.abc import Callable


def prepare() -> Callable[[], None]:
    return lambda: None
