"""The limits that every Linux grants: of one process each, set from outside before the jail's program starts."""

from __future__ import annotations

import resource
from collections.abc import Mapping
from typing import Final

from workers.sandbox.interface import JailLimits

OPEN_FILES: Final = 1024
# torch and its thread pools reserve several GiB of addresses that they never touch.
ADDRESS_ROOM: Final = 16 * 1024**3


def values(limits: JailLimits, *, memory: bool) -> dict[int, tuple[int, int]]:
    """Soft and hard limit by resource.

    `memory`: bound memory too, because no control group does. RLIMIT_DATA counts private writable memory and so comes
    close to what a process uses; RLIMIT_AS must be far larger and only stops shared mappings from growing for ever.
    """
    chosen = {
        resource.RLIMIT_CPU: (limits.cpu_s, limits.cpu_s + 1),  # first SIGXCPU, which can be told from other kills
        resource.RLIMIT_FSIZE: (limits.tmp_bytes, limits.tmp_bytes),
        resource.RLIMIT_NOFILE: (OPEN_FILES, OPEN_FILES),
        # 1 means: no core file, and none through a program in core_pattern either, which 0 would still start as root.
        resource.RLIMIT_CORE: (1, 1),
        resource.RLIMIT_NPROC: (limits.pids + 1, limits.pids + 1),  # of the jail's own user; bubblewrap's pid 1 counts
        resource.RLIMIT_MSGQUEUE: (0, 0),
    }
    if memory:
        chosen[resource.RLIMIT_DATA] = (limits.memory_bytes, limits.memory_bytes)
        chosen[resource.RLIMIT_AS] = (limits.memory_bytes + ADDRESS_ROOM,) * 2
    return chosen


def apply(pid: int, limits: JailLimits, *, memory: bool) -> None:
    """Set them on a process that is still waiting to become the jail's program."""
    lower(pid, values(limits, memory=memory))


def lower(pid: int, chosen: Mapping[int, tuple[int, int]]) -> None:
    for which, (soft, hard) in chosen.items():
        # A hard limit can only be lowered, unless we are root.
        ceiling = resource.prlimit(pid, which)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.prlimit(pid, which, (soft, hard))
