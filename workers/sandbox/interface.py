"""What the rest of the house knows of a jail: a specification in, a process in its own world out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

EndingKind = Literal["exit", "signal", "memory", "killed", "lost", "unknown"]


class SandboxUnavailable(RuntimeError):
    """This machine can't build the jail; the message says what it lacks and what to do."""


@dataclass(frozen=True)
class Mount:
    """A host folder or file that the jail sees, read-only, at `target`."""

    source: Path
    target: str


@dataclass(frozen=True)
class JailLimits:
    """Bytes, counts and seconds; each is enforced by the best means that the host grants.

    `tmp_bytes` bounds each of /tmp, the work folder and /dev/shm; `cpu_s` each process. `cpus` is a share of the
    machine's processors (1.5: one and a half), None for all of them.
    """

    memory_bytes: int
    pids: int
    tmp_bytes: int
    cpu_s: int
    cpus: float | None = None


@dataclass(frozen=True)
class Forkable:
    """Says of a jail's program that it may be forked from a process that made `imports` before: `argv` must do the same
    as importing those, and then calling what `module`'s prepare() returns."""

    module: str
    imports: tuple[str, ...] = ()


@dataclass(frozen=True)
class JailSpec:
    """One process to start in a jail.

    The jail shows the system's libraries, the lab interpreter's prefix and `mounts`, all read-only, and a private
    writable `/tmp` and `workdir` (a fresh tmpfs into which `files` are copied). `descriptors` are host file
    descriptors that the process inherits as 3, 4, ... in this order; nothing else is inherited. `env` is the whole
    environment, apart from PATH, HOME and LANG. `devices` are device nodes that it may use, at their own paths.
    Mounts and the lab interpreter must be readable by any user: the jail runs as one that owns nothing of the host.
    `trusted`: it runs no stranger's code, so a sandbox may save it the walls that cost much time.
    """

    name: str
    argv: tuple[str, ...]
    limits: JailLimits
    mounts: tuple[Mount, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    descriptors: tuple[int, ...] = ()
    workdir: str = "/home/student"
    devices: tuple[str, ...] = ()
    trusted: bool = False
    forkable: Forkable | None = None


@dataclass(frozen=True)
class Ending:
    """How a jail ended. `memory`: the kernel killed it at its memory limit; `killed`: we did; `lost`: what held it
    is gone, which is none of the program's doing.

    `code` is the exit status or the signal's number. A program that exits with 128 + n reads as one that signal n
    ended. Where no memory cgroup can be had, allocations beyond the limit fail inside the jail, as a MemoryError;
    `memory` then says that the container or the machine ran out.
    """

    kind: EndingKind
    code: int = 0
    peak_memory_bytes: int | None = None


class Jail(Protocol):
    """A started jail. It dies with the thread that started it, whole, daemons included."""

    @property
    def limits_in_force(self) -> Mapping[str, str]:
        """Each limit with the means that holds it, for the report: {"memory": "3 GiB (cgroup v1)", ...}."""

    def ended(self) -> Ending | None:
        """None while it runs. Never blocks."""

    def kill(self) -> Ending:
        """End every process in it and free what it held; safe to call twice. Never waits for end of file."""

    def stderr_tail(self) -> str:
        """The last 4,000 characters that the first process wrote to its standard error: for operators only."""


class Sandbox(Protocol):
    name: str

    def start(self, spec: JailSpec) -> Jail:
        """Raises SandboxUnavailable."""
