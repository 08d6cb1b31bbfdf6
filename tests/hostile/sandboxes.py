"""The one place that says on which sandbox the corpus runs: `cold`, or `warm` from a pool."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Final

from django.conf import settings

from workers.pool import default_pool
from workers.sandbox import default_sandbox
from workers.sandbox.interface import Sandbox

NAMES: Final = ("cold", "warm")
VARIABLE: Final = "RIDGEPOINT_HOSTILE_SANDBOX"
"""Chooses for pytest, which has no option for it."""


def chosen() -> str:
    return os.environ.get(VARIABLE, "warm")


@contextlib.contextmanager
def opened(name: str) -> Iterator[Sandbox]:
    """The sandbox; what it holds is freed afterwards."""
    if name == "cold":
        yield default_sandbox(settings.LAB_PYTHON)
        return
    if name != "warm":
        raise SystemExit(f"There is no sandbox {name!r} here; there are: {', '.join(NAMES)}.")
    with contextlib.closing(default_pool(settings.LAB_PYTHON)) as pool:
        yield pool
