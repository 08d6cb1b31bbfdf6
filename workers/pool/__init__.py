"""Warm processes: a sandbox like any other, whose jails are forked and so start at once."""

from __future__ import annotations

from pathlib import Path

from workers.pool.warm import WarmPool as WarmPool
from workers.sandbox import default_sandbox


def default_pool(lab_python: Path) -> WarmPool:
    """This machine's sandbox, warm where it can be. Make one in each process that grades, and keep it.

    Raises:
        SandboxUnavailable: this machine can't build jails at all.
    """
    return WarmPool(default_sandbox(lab_python), lab_python)
