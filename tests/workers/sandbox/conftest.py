"""Real jails, started and ended by the sandbox that a worker uses."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.conf import settings

from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.interface import Ending, Jail, JailLimits, JailSpec
from workers.sandbox.runsc import RunscSandbox

MIB = 1024**2
LIMITS = JailLimits(memory_bytes=256 * MIB, pids=24, tmp_bytes=8 * MIB, cpu_s=20)
PATIENCE_S = 60.0
PREAMBLE = """
import ctypes, json, os, socket, sys, time
def say(value):
    os.write(3, json.dumps(value).encode() + b"\\n")
def attempt(action):
    try:
        action()
    except OSError as error:
        return error.errno
    return 0
"""


@dataclass
class Running:
    """A jail with a Python program in it, which says JSON values over a socket."""

    jail: Jail
    line: socket.socket
    _rest: bytes = field(default=b"")

    def hear(self) -> Any:
        """The next value that it says; an error with its stderr when it says no more."""
        while b"\n" not in self._rest:
            chunk = self.line.recv(65536)
            assert chunk, f"the jail fell silent: {self.jail.stderr_tail()}"
            self._rest += chunk
        first, _, self._rest = self._rest.partition(b"\n")
        return json.loads(first)

    def tell(self, text: str) -> None:
        self.line.sendall(text.encode())

    def end(self) -> Ending:
        """How it ends by itself."""
        deadline = time.monotonic() + PATIENCE_S
        while (ending := self.jail.ended()) is None:
            assert time.monotonic() < deadline, "the jail doesn't end"
            time.sleep(0.002)
        return ending


Start = Callable[..., Running]
Test = TypeVar("Test", bound=Callable[..., None])


SANDBOXES: dict[str, type[BubblewrapSandbox]] = {"bubblewrap": BubblewrapSandbox, "runsc": RunscSandbox}


def on_each_sandbox(test: Test) -> Test:
    """For what the interface promises, whoever keeps it. Tests without this mark are about bubblewrap."""
    test.on_each_sandbox = True  # type: ignore[attr-defined]
    return test


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Here and not in a mark: who imports these tests to ask them of another sandbox wants each of them once."""
    if getattr(metafunc.function, "on_each_sandbox", False):
        each = ["bubblewrap", pytest.param("runsc", marks=pytest.mark.slow)]
        metafunc.parametrize("sandbox", each, indirect=True, scope="session")


@functools.cache
def _built(name: str) -> BubblewrapSandbox:
    return SANDBOXES[name](settings.LAB_PYTHON)


@pytest.fixture(scope="session")
def sandbox(request: pytest.FixtureRequest) -> BubblewrapSandbox:
    return _built(getattr(request, "param", "bubblewrap"))


@contextlib.contextmanager
def starting(sandbox: BubblewrapSandbox) -> Iterator[Start]:
    with contextlib.ExitStack() as stack:

        def start(code: str, limits: JailLimits = LIMITS, **fields: Any) -> Running:
            ours, theirs = socket.socketpair()
            stack.enter_context(ours)
            ours.settimeout(PATIENCE_S)
            argv = (str(settings.LAB_PYTHON), "-I", "-S", "-c", PREAMBLE + code)
            with theirs:
                spec = replace(JailSpec("test", argv, limits, descriptors=(theirs.fileno(),)), **fields)
                jail = sandbox.start(spec)
            stack.callback(jail.kill)
            return Running(jail, ours)

        yield start


@pytest.fixture
def start(sandbox: BubblewrapSandbox) -> Iterator[Start]:
    with starting(sandbox) as start:
        yield start


def control_groups(sandbox: BubblewrapSandbox, pid: int) -> list[Path]:
    """What the jails of this process hold of the host's control groups."""
    folders = {place.path for place in sandbox.places.values()}
    return [group for folder in folders for group in folder.glob(f"ridgepoint-*-{pid}-*")]


def children() -> list[int]:
    own = Path(f"/proc/{os.getpid()}/task")
    return [int(pid) for task in own.iterdir() for pid in (task / "children").read_text().split()]
