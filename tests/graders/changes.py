"""Ways to spoil a document of plain JSON, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def put(value: Any, *path: Any) -> Callable[[Any], None]:
    def change(raw: Any) -> None:
        for step in path[:-1]:
            raw = raw[step]
        raw[path[-1]] = value

    return change
