"""A sandbox whose jails start warm: forked from a process that has imported what the lab declares."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import threading
import time
from collections import OrderedDict
from pathlib import Path
from typing import Final

from workers.pool.keeper import KeeperSandbox
from workers.pool.server import ForkServer
from workers.sandbox.interface import Jail, JailSpec, Sandbox, SandboxUnavailable

MOST_SERVERS: Final = 6
"""Three labs, each with its student's and its examiner's kind of jail."""
REST_S: Final = 60.0
"""How long a kind of jail starts cold after its fork server failed."""

Kind = tuple[object, ...]
logger = logging.getLogger(__name__)


class WarmPool:
    """Forks what can be forked, and leaves the rest, and whatever goes wrong, to the cold sandbox.

    It belongs to the thread that grades: the servers end with it.
    """

    def __init__(self, cold: Sandbox, lab_python: Path) -> None:
        self.name = f"{cold.name}, warm"
        self._cold = cold
        self._lab_python = lab_python
        self._keeper: KeeperSandbox | None = None
        self._servers: OrderedDict[Kind, ForkServer] = OrderedDict()
        self._resting: dict[Kind, float] = {}
        self._lock = threading.Lock()

    def start(self, spec: JailSpec) -> Jail:
        if not self._can_fork(spec):
            return self._cold.start(spec)
        kind = _kind(spec)
        if self._resting.get(kind, 0.0) > time.monotonic():
            return self._cold.start(spec)
        for last in (False, True):
            # One that was warm may have died since; a fresh one that fails will fail again.
            try:
                return self._server(kind, spec).fork(spec)
            except SandboxUnavailable as error:
                self._forget(kind)
                if last:
                    logger.warning("pool.cold jail=%s reason=%s", spec.name, error)
                    self._resting[kind] = time.monotonic() + REST_S
        return self._cold.start(spec)

    def _can_fork(self, spec: JailSpec) -> bool:
        """On gVisor there is no forking from outside; only what it leaves to bubblewrap can be warm."""
        walls = self._cold.name == "bubblewrap" or spec.trusted
        return walls and spec.forkable is not None and not spec.devices

    def prepare(self, *specs: JailSpec) -> None:
        """Start the servers of these jails, without waiting for their imports."""
        for spec in specs:
            if self._can_fork(spec):
                with contextlib.suppress(SandboxUnavailable):
                    self._server(_kind(spec), spec)

    def close(self) -> None:
        with self._lock:
            while self._servers:
                self._servers.popitem()[1].close()

    def _server(self, kind: Kind, spec: JailSpec) -> ForkServer:
        with self._lock:
            server = self._servers.get(kind)
            if server is not None and server.is_alive():
                self._servers.move_to_end(kind)
                return server
            if server is not None:
                self._servers.pop(kind).close()
            while len(self._servers) >= MOST_SERVERS:
                self._servers.popitem(last=False)[1].close()
            self._keeper = self._keeper or KeeperSandbox(self._lab_python)
            server = self._servers[kind] = ForkServer(spec, self._keeper)
            return server

    def _forget(self, kind: Kind) -> None:
        with self._lock:
            server = self._servers.pop(kind, None)
        if server is not None:
            server.close()


def _kind(spec: JailSpec) -> Kind:
    """What two jails must share to be forked from one process."""
    files = hashlib.sha256()
    for name, content in sorted(spec.files.items()):
        files.update(f"{len(name)} {name} {len(content)} ".encode() + content)
    env = tuple(sorted(spec.env.items()))
    return (spec.forkable, spec.argv[0], spec.mounts, files.hexdigest(), env, spec.workdir)
