"""On what a notebook was graded: for the report, and for appeals."""

from __future__ import annotations

import functools
import importlib.metadata
import os
import platform
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from graders.examiner import text

NAMED_VERSIONS: Final = ("numpy", "torch", "pandas", "matplotlib", "ipython", "otter-grader")


def device() -> dict[str, str]:
    found = {"cpu": _cpu(), "cores": str(len(os.sched_getaffinity(0))), "architecture": platform.machine()}
    match = re.search(r"MemTotal:\s*(\d+) kB", _read("/proc/meminfo"))
    if match:
        found["memory"] = text.size(int(match[1]) * 1024)
    return {name: value for name, value in found.items() if value}


@functools.cache
def versions() -> Mapping[str, str]:
    """By metadata, so that nothing is imported for it."""
    found = {"python": platform.python_version()}
    for name in NAMED_VERSIONS:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _cpu() -> str:
    match = re.search(r"^model name\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    return match[1].strip()[:200] if match else platform.processor()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
