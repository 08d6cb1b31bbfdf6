"""One tree of processes that starts in order, mends itself, stops in order and leaves nothing behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

_PR_SET_PDEATHSIG: Final = 1
_libc = ctypes.CDLL(None, use_errno=True)
_GUARD: Final = Path(__file__).with_name("guard.py")

FIRST_DELAY_S: Final = 0.5
LAST_DELAY_S: Final = 30.0
# A service that lived this long starts again without delay when it dies.
HEALTHY_S: Final = 60.0
# Killed processes that are not our own children are gone a moment after the signal, and nobody tells us.
KILLED_S: Final = 2.0


class StartFailed(RuntimeError):
    """A service did not come up in time; the message says which."""


def die_with_parent() -> Callable[[], None]:
    """For `preexec_fn`: the kernel kills the process when the thread that started it ends."""
    parent = os.getpid()

    def tie() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # It ended before the tie was made.
            os._exit(1)

    return tie


@dataclass(frozen=True)
class Service:
    """One process to keep alive.

    `stop` are the signals that ask it to end, in order; `grace_s` is the time it has after each, before SIGKILL ends
    its whole process group. `ready` tells whether it answers; without one it is ready once started.
    """

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    descriptors: Sequence[int] = ()
    stop: Sequence[signal.Signals] = (signal.SIGTERM,)
    grace_s: float = 10.0
    ready: Callable[[], bool] | None = None


@dataclass
class _Running:
    service: Service
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    delay: float = 0.0
    next_start: float = 0.0


class Supervisor:
    """Call `start`, then `tick` several times a second, then `stop`, all from one thread.

    That thread must live as long as the tree: the processes are tied to it.
    """

    def __init__(
        self, services: Sequence[Service], *, say: Callable[[str], None], output: IO[bytes] | None = None
    ) -> None:
        self._running = [_Running(service) for service in services]
        self._say = say
        self._output = output
        self._guard: subprocess.Popen[bytes] | None = None

    def start(self, *, timeout_s: float = 60.0, wanted: Callable[[], bool] = lambda: True) -> None:
        """Start every service in order, each when the one before it is ready; give up once `wanted` says no.

        Raises:
            StartFailed: one was not ready in time. Everything is stopped by then.
        """
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_GUARD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        for running in self._running:
            self._spawn(running)
            end = time.monotonic() + timeout_s
            while wanted() and running.service.ready and not running.service.ready():
                if time.monotonic() > end:
                    self.stop()
                    raise StartFailed(f"The service {running.service.name} did not start within {timeout_s:.0f} s.")
                self.tick()
                time.sleep(0.02)

    def tick(self) -> None:
        """Start again what has died, after a delay that doubles each time it dies young. Never blocks."""
        now = time.monotonic()
        for running in self._running:
            if running.process is None:
                if running.started and now >= running.next_start:
                    self._spawn(running)
            elif (code := running.process.poll()) is not None:
                # Its own children may have outlived it; a new one must not meet them.
                self._end_group(running.process.pid)
                running.process = None
                young = now - running.started < HEALTHY_S
                running.delay = min(LAST_DELAY_S, running.delay * 2 or FIRST_DELAY_S) if young else 0.0
                running.next_start = now + running.delay
                ended = f"signal {-code}" if code < 0 else f"status {code}"
                self._say(f"{running.service.name} ended with {ended}: starting it again in {running.delay:g} s.")

    def stop(self) -> None:
        """End every service in reverse order, and whatever they started. Safe to call twice."""
        for running in reversed(self._running):
            process, running.process = running.process, None
            running.started = 0.0
            if process is None:
                continue
            for number in running.service.stop:
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(running.service.grace_s)
                    break
            self._end_group(process.pid)
            process.wait()
            _wait_for_end(process.pid)
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._guard.stdin.close()
            self._guard.wait()
            self._guard = None

    def pids(self) -> dict[str, int]:
        """The process of each service that runs now."""
        return {running.service.name: running.process.pid for running in self._running if running.process}

    def _spawn(self, running: _Running) -> None:
        service = running.service
        running.process = subprocess.Popen(
            service.argv,
            env={**os.environ, **service.env},
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT if self._output else None,
            pass_fds=service.descriptors,
            # A group of its own: the terminal's Ctrl-C reaches us alone, and we end the others in order.
            start_new_session=True,
            preexec_fn=die_with_parent(),
        )
        running.started = time.monotonic()
        self._tell_guard(f"+{running.process.pid}\n")

    def _end_group(self, group: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        self._tell_guard(f"-{group}\n")

    def _tell_guard(self, line: str) -> None:
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._guard.stdin.write(line.encode())
                self._guard.stdin.flush()


def _wait_for_end(group: int) -> None:
    """Until no process of a killed group is left, but not for ever: one may wait in the kernel, or to be reaped."""
    end = time.monotonic() + KILLED_S
    with contextlib.suppress(ProcessLookupError, PermissionError):
        while time.monotonic() < end:
            os.killpg(group, 0)
            time.sleep(0.005)
