"""One jail's processes from outside: starting bubblewrap, waiting for the walls, ending everything."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from workers.sandbox.cgroups import Group
from workers.sandbox.interface import Ending, EndingKind, SandboxUnavailable

SETUP_S: Final = 20.0
END_S: Final = 10.0
# A program that is ending by itself gets this long to do so before it counts as killed by us.
GRACE_S: Final = 0.01
STDERR_BYTES: Final = 1024 * 1024
STDERR_TAIL: Final = 4000


def sealed_log() -> int:
    """A file in memory that can't grow: whoever writes past its end gets an error, and nobody ever blocks."""
    log = os.memfd_create("stderr", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(log, STDERR_BYTES)
    fcntl.fcntl(log, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)
    return log


def memory_file(content: bytes) -> int:
    file = os.memfd_create("jail", os.MFD_CLOEXEC)
    with os.fdopen(os.dup(file), "wb") as target:
        target.write(content)
    os.lseek(file, 0, os.SEEK_SET)
    return file


class Descriptors:
    """Numbers the descriptors that a child process inherits, and holds the parent's copies until it has them."""

    def __init__(self, inherited: Sequence[int], stderr: int) -> None:
        self._copies: list[int] = []
        self._actions: list[tuple[int, int, int]] = []
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            for number, descriptor in enumerate((null, null, stderr, *inherited)):
                self._place(descriptor, number)
        finally:
            os.close(null)
        self._next = 3 + len(inherited)

    def _place(self, descriptor: int, number: int) -> None:
        # From high numbers, so that no copy lands on one that is still to be copied.
        copy = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 512)
        self._copies.append(copy)
        self._actions.append((os.POSIX_SPAWN_DUP2, copy, number))

    def give(self, descriptor: int) -> str:
        """Pass one more to bubblewrap, which closes it before the program starts. Our own copy is closed here."""
        number = self._next
        self._place(descriptor, number)
        os.close(descriptor)
        self._next += 1
        return str(number)

    def give_bytes(self, content: bytes) -> str:
        return self.give(memory_file(content))

    def spawn(self, argv: list[str]) -> int:
        """Start argv without any environment; nothing but the numbered descriptors goes along."""
        opened = (int(entry.name) for entry in Path("/proc/self/fd").iterdir())
        strays = [number for number in opened if number >= self._next and _inheritable(number)]
        closing = [(os.POSIX_SPAWN_CLOSE, number) for number in strays]
        return os.posix_spawn(
            argv[0],
            argv,
            {},
            file_actions=[*self._actions, *closing],
            setpgroup=0,  # a terminal's Ctrl-C is the worker's to handle
            setsigmask=[],
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP],
        )

    def close(self) -> None:
        while self._copies:
            os.close(self._copies.pop())


class HeldJail(ABC):
    """What every jail of ours has: a control group, a log, a first process, and one ending, noted once.

    Its methods may be called from any thread.
    """

    def __init__(self, log: int, group: Group, limits_in_force: Mapping[str, str]) -> None:
        self.limits_in_force = limits_in_force
        self._log = log
        self._init = -1  # a pidfd of pid 1 inside: when it has ended, everything inside has
        self._group = group
        self._kills_before = group.memory_kills()
        self._ending: Ending | None = None
        self._tail = ""
        self._lock = threading.Lock()

    @abstractmethod
    def _look(self) -> tuple[EndingKind, int] | None:
        """How it ended by itself, if it has: `exit` with a status in which 128 + n stands for signal n, `lost` or
        `unknown`. Never blocks."""

    @abstractmethod
    def _let_go(self) -> None:
        """Once everything inside has ended: reap and close what is ours."""

    def ended(self) -> Ending | None:
        with self._lock:
            return self._ending or self._note(0.0)

    def kill(self) -> Ending:
        with self._lock:
            return (
                self._ending
                or self._note(20 * GRACE_S if self._lacked_memory() else GRACE_S)
                or self._finish("killed", int(signal.SIGKILL))
            )

    def stderr_tail(self) -> str:
        with self._lock:
            return self._tail if self._ending else self._read_tail()

    def unavailable(self, why: str = "it said nothing") -> SandboxUnavailable:
        """End a jail that failed to start; what bubblewrap said about it comes before `why`."""
        with self._lock:
            if self._ending is None and self._note(20 * GRACE_S) is None:
                self._finish("killed", int(signal.SIGKILL))
        said = self._tail.strip().removeprefix("bwrap: ") or why
        return SandboxUnavailable(
            f"bubblewrap can't build a jail here ({said}): run `python -m workers.sandbox` to see what is lacking."
        )

    def _note(self, patience_s: float) -> Ending | None:
        """Take note of an end that came by itself."""
        deadline = time.monotonic() + patience_s
        while (found := self._look()) is None:
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.001)
        kind, code = found
        if kind == "exit" and code > 128:
            kind, code = "signal", code - 128
        if kind in ("signal", "lost") and code in (0, signal.SIGKILL) and self._lacked_memory():
            kind, code = "memory", int(signal.SIGKILL)
        return self._finish(kind, code)

    def _lacked_memory(self) -> bool:
        """Without a memory group this asks the machine: a container's limit or its own may have struck."""
        return self._group.memory_kills() > self._kills_before

    def _finish(self, kind: EndingKind, code: int) -> Ending:
        """End whatever still runs and free everything."""
        if self._init >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._init, signal.SIGKILL)
            poll = select.poll()
            poll.register(self._init, select.POLLIN)
            poll.poll(END_S * 1000)
            os.close(self._init)
            self._init = -1
        self._let_go()
        peak = self._group.peak_memory()
        self._group.remove()
        self._tail = self._read_tail()
        os.close(self._log)
        self._ending = Ending(kind, code, peak)
        return self._ending

    def _read_tail(self) -> str:
        written = os.pread(self._log, STDERR_BYTES, 0).rstrip(b"\0")
        return written[-4 * STDERR_TAIL :].decode(errors="replace")[-STDERR_TAIL:]


class JailProcess(HeldJail):
    """A jail whose bubblewrap is our child; it dies with the thread that started it."""

    def __init__(self, pid: int, log: int, group: Group, limits_in_force: Mapping[str, str]) -> None:
        super().__init__(log, group, limits_in_force)
        self._pid = pid  # bubblewrap outside the jail
        self._reaped = False

    def wait_for_init(self, info: BinaryIO) -> int:
        """The pid (outside) of the jail's pid 1, as bubblewrap writes it to `info`.

        Raises:
            SandboxUnavailable: bubblewrap couldn't make the namespaces.
        """
        text = b""
        deadline = time.monotonic() + SETUP_S
        while select.select([info], [], [], max(0.0, deadline - time.monotonic()))[0]:
            chunk = info.read(4096)
            if not chunk:
                break
            text += chunk
        if not text:
            raise self.unavailable()
        init = int(json.loads(text)["child-pid"])
        try:
            self._init = os.pidfd_open(init)
        except OSError as error:
            raise self.unavailable() from error
        return init

    def release(self, gate: socket.socket) -> None:
        """Let the jail's program start, once bubblewrap has put up the walls.

        Raises:
            SandboxUnavailable: it couldn't.
        """
        # bubblewrap takes the byte when all walls stand, and closes. If it closes without taking it, it has failed.
        gate.settimeout(SETUP_S)
        try:
            gate.sendall(b"x")
            gate.recv(1)
        except OSError as error:
            raise self.unavailable() from error

    def _look(self) -> tuple[EndingKind, int] | None:
        try:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
        except ChildProcessError:  # someone else reaped our child
            self._reaped = True
            return "unknown", 0
        if not pid:
            return None
        self._reaped = True
        code = os.waitstatus_to_exitcode(status)
        return "exit", code if code >= 0 else 128 - code

    def _let_go(self) -> None:
        if not self._reaped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._pid, 0)


def _inheritable(descriptor: int) -> bool:
    try:
        return os.get_inheritable(descriptor)
    except OSError:
        return False
