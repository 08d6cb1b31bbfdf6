"""One fork server from outside: started once for a kind of jail, asked for a new one each time."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from graders.bundle import GIB, MIB
from workers.pool import forkserver
from workers.pool.keeper import KeeperSandbox
from workers.sandbox import cgroups, rlimits, seccomp
from workers.sandbox.interface import EndingKind, JailLimits, JailSpec, Mount, SandboxUnavailable
from workers.sandbox.process import HeldJail, memory_file, sealed_log

PACKAGE: Final = Path(forkserver.__file__).parent
PLACE: Final = "/opt/ridgepoint/forkserver"
START_S: Final = 120.0
FORK_S: Final = 20.0
MOST_WORDS: Final = 4096
SAME_USER: Final = 2
"""An rlimit counts the server's own two processes too."""
# Of the server itself: its imports. What its children use counts against their own limits.
LIMITS: Final = JailLimits(memory_bytes=4 * GIB, pids=1024, tmp_bytes=64 * MIB, cpu_s=3600)


class ForkServer:
    """Its processes end with the thread that started it. `fork` may be called from any thread, by one at a time."""

    def __init__(self, spec: JailSpec, keeper: KeeperSandbox) -> None:
        """Start it, without waiting for its imports.

        Raises:
            SandboxUnavailable: there is no outer wall to be had.
        """
        if spec.forkable is None:
            raise ValueError(f"The jail {spec.name} can't be forked.")
        self._keeper = keeper
        self._ready = False
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        filter_file = memory_file(seccomp.program())
        try:
            self._jail = keeper.start(_outer(spec, theirs.fileno(), filter_file))
        except BaseException:
            self._control.close()
            raise
        finally:
            theirs.close()
            os.close(filter_file)

    def is_alive(self) -> bool:
        return self._jail.ended() is None

    def close(self) -> None:
        """Ends it and every jail that it forked."""
        self._jail.kill()
        self._control.close()

    def fork(self, spec: JailSpec) -> ForkedJail:
        """A new process in walls of its own, that runs the module's main().

        Raises:
            SandboxUnavailable: the server is gone or doesn't answer; it is of no use any more.
        """
        with self._lock:
            try:
                self._wait_until_ready()
                return self._fork(spec)
            except OSError as error:
                raise SandboxUnavailable(
                    f"A fork server for {spec.name} failed ({error}).\n{self._jail.stderr_tail()}".strip()
                ) from error
            except BaseException:
                self.close()  # its answer may still be on the way, and the next to ask would take it for its own
                raise

    def _wait_until_ready(self) -> None:
        if not self._ready:
            self._control.settimeout(START_S)
            if self._control.recv(MOST_WORDS) != b"ready":
                raise ConnectionResetError("it ended while it made its imports")
            self._ready = True

    def _fork(self, spec: JailSpec) -> ForkedJail:
        with contextlib.ExitStack() as always, contextlib.ExitStack() as undo:
            status, status_inside = os.pipe2(os.O_CLOEXEC)
            always.callback(os.close, status_inside)
            undo.callback(os.close, status)
            gate, gate_inside = socket.socketpair()
            always.enter_context(gate)
            always.enter_context(gate_inside)
            log = sealed_log()
            undo.callback(os.close, log)
            group = cgroups.Group(self._keeper.places, spec.limits)
            undo.callback(group.remove)
            init = self._ask(spec, (status_inside, gate_inside.fileno(), log, *spec.descriptors))
            undo.pop_all()  # the jail owns them from here on
            jail = ForkedJail(init, status, log, group, self._keeper.limits_in_force(spec))
            try:
                pid = _pid_of(init)
                group.admit(pid)
                counted = replace(spec.limits, pids=spec.limits.pids + SAME_USER)
                rlimits.apply(pid, counted, memory="memory" not in self._keeper.places)
                gate.sendall(b"x")
                gate_inside.close()
                gate.settimeout(FORK_S)
                if gate.recv(1) != b"x":
                    jail.kill()
                    raise ConnectionResetError(jail.stderr_tail() or "a jail ended before its walls stood")
            except BaseException:
                jail.kill()
                raise
            return jail

    def _ask(self, spec: JailSpec, given: Sequence[int]) -> int:
        """A pidfd of the forked process, which waits at its gate."""
        request = {"workdir": spec.workdir, "tmp_bytes": spec.limits.tmp_bytes}
        socket.send_fds(self._control, [json.dumps(request).encode()], given)
        self._control.settimeout(FORK_S)
        words, handles, _, _ = socket.recv_fds(self._control, MOST_WORDS, 1)
        if not handles:
            raise ConnectionResetError(words.decode(errors="replace") or "it ended")
        return handles[0]


class ForkedJail(HeldJail):
    """A jail that a fork server holds. The server tells nothing of it: its first process writes how it ended."""

    def __init__(
        self, init: int, status: int, log: int, group: cgroups.Group, limits_in_force: Mapping[str, str]
    ) -> None:
        super().__init__(log, group, limits_in_force)
        self._init = init
        self._status = status

    def _look(self) -> tuple[EndingKind, int] | None:
        if not select.select([self._status], [], [], 0)[0]:
            return None
        words = os.read(self._status, MOST_WORDS).decode(errors="replace")
        kind, _, detail = words.partition(" ")
        if kind == "exit" and detail.isdecimal():
            return "exit", int(detail)
        if kind == "walls":
            os.pwrite(self._log, f"The walls could not be put up: {detail}".encode(), 0)
        return "lost", 0

    def _let_go(self) -> None:
        os.close(self._status)


def _outer(spec: JailSpec, control: int, filter_file: int) -> JailSpec:
    assert spec.forkable is not None  # noqa: S101  checked by who calls
    python = spec.argv[0]
    return replace(
        spec,
        name=f"{spec.name}-server",
        argv=(python, "-P", "-m", "forkserver", spec.forkable.module, *spec.forkable.imports),
        limits=LIMITS,
        mounts=(*spec.mounts, Mount(PACKAGE, PLACE)),
        descriptors=(control, filter_file),
    )


def _pid_of(handle: int) -> int:
    """The process behind a pidfd, as numbered here.

    Raises:
        ProcessLookupError: it has ended.
    """
    for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines():
        if line.startswith("Pid:") and (pid := int(line.split()[1])) > 0:
            return pid
    raise ProcessLookupError("The forked process has ended before it began.")


__all__ = ["ForkServer", "ForkedJail"]
