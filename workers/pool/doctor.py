"""Whether jails can start warm on this machine, tried out."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Final

from workers.pool.keeper import KeeperSandbox
from workers.pool.server import ForkServer
from workers.sandbox.doctor import Finding
from workers.sandbox.interface import Forkable, JailLimits, JailSpec, SandboxUnavailable

LIMITS: Final = JailLimits(memory_bytes=512 * 1024**2, pids=32, tmp_bytes=16 * 1024**2, cpu_s=10)
FORKS: Final = 7
END_S: Final = 20.0


def describe(lab_python: Path) -> Finding:
    spec = JailSpec(
        name="trial",
        argv=(str(lab_python),),
        limits=LIMITS,
        env={"PYTHONPATH": "/opt/ridgepoint"},
        forkable=Forkable("forkserver.trial"),
    )
    try:
        server = ForkServer(spec, KeeperSandbox(lab_python))
        try:
            times = [_fork_s(server, spec) for _ in range(FORKS)]
        finally:
            server.close()
    except SandboxUnavailable as error:
        return Finding(False, f"Jails start cold, each with its own imports: {str(error).splitlines()[0]}")
    return Finding(True, f"Jails of labs that declare imports are forked, in {statistics.median(times) * 1000:.0f} ms.")


def _fork_s(server: ForkServer, spec: JailSpec) -> float:
    """Until a program that does nothing has ended."""
    began = time.monotonic()
    jail = server.fork(spec)
    try:
        while (ending := jail.ended()) is None:
            if time.monotonic() > began + END_S:
                raise SandboxUnavailable("a forked program doesn't end.")
            time.sleep(0.001)
    finally:
        jail.kill()
    if (ending.kind, ending.code) != ("exit", 0):
        raise SandboxUnavailable(f"a forked program ended by {ending.kind}: {jail.stderr_tail() or ending.code}.")
    return time.monotonic() - began
