"""Starts the house's programs as an operator would: a process, an environment, nothing else."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]

PRODUCTION = {
    "RIDGEPOINT_SECRET_KEY": "a key for tests, long and with 0 value elsewhere: x7Q",
    "RIDGEPOINT_ALLOWED_HOSTS": "learn.example.org,.campus.example.org",
    "RIDGEPOINT_BROKER_URL": "redis://broker:6379/0",
    "DATABASE_URL": "postgresql://ridgepoint@database/ridgepoint",
}


def environment(settings: str, data_dir: Path, variables: Mapping[str, str]) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": f"server.settings.{settings}",
        "RIDGEPOINT_DATA_DIR": str(data_dir),
        **variables,
    }


def python(code: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """The code in a fresh interpreter, with exactly this environment."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=dict(env), capture_output=True, text=True, timeout=120, check=False
    )


def lives(pid: int) -> bool:
    """Whether the process still runs; one that only waits to be reaped does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def family(pid: int) -> set[int]:
    """The process and all that descend from it, now."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def soon(condition: Callable[[], T], *, within_s: float = 60.0) -> T:
    """What the condition returns once it holds; whatever it returned last when time is up."""
    end = time.monotonic() + within_s
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return value
