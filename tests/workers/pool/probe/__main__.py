"""A forkable program that does what it is told: Python source on the last of its descriptors."""

from __future__ import annotations

import os
from collections.abc import Callable


def prepare() -> Callable[[], None]:
    return run


def run() -> None:
    source = max(int(name) for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}"))  # noqa: PTH110, PTH208
    code = os.pread(source, 1_000_000, 0)
    os.close(source)
    exec(compile(code, "<probe>", "exec"), {"__name__": "__main__"})  # noqa: S102
