"""A whole installation in a temporary folder: a database, a broker, two workers, their clock, a web process.

The services are those of `manage.py up`, under its supervisor; three of them load the campaign's points as well.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

from tests.chaos import points
from workers import services, supervisor
from workers.supervisor import Service, Supervisor

ROOT: Final = Path(__file__).resolve().parents[2]
LEASE_S: Final = 3
DISK: Final = "192m"
_CLONE_NEWNS: Final = 0x20000
WORKERS: Final = ("worker", "worker-2")


@contextlib.contextmanager
def environment(folder: Path, database: str | None) -> Iterator[None]:
    """The environment of this process and of the services. To be entered before Django is set up."""
    data = folder / "data"
    for name in ("data", "tmp", "logs"):
        (folder / name).mkdir()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "server.settings.dev",
        "DATABASE_URL": database or f"sqlite:///{data / 'ridgepoint.sqlite3'}",
        "RIDGEPOINT_DATA_DIR": str(data),
        "RIDGEPOINT_RUN_LEASE_SECONDS": str(LEASE_S),
        "RIDGEPOINT_DEBUG": "0",
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(folder / "tmp"),
        points.FOLDER: str(folder / "points"),
    }
    os.environ.pop("RIDGEPOINT_BROKER_URL", None)
    with small_disk(data):
        yield


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Put the folder on a disk that can be filled, where this machine lets us mount one; `Installation.disk` tells.

    It is mounted in a namespace of this process and its children: however they end, it ends with them.
    """
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=0755", "ridgepoint-chaos", str(folder)]
    alone = ctypes.CDLL(None).unshare(_CLONE_NEWNS) == 0 and _run("mount", "--make-rprivate", "/")
    mounted = alone and _run(*mount)
    try:
        yield
    finally:
        if mounted:
            _run("umount", "--lazy", str(folder))


def _run(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class Installation:
    """Start it, and the thread that starts it keeps it up, until `stop` or the end of `with`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.points = points.Points(folder / "points")
        self.disk = self.data if os.path.ismount(self.data) else None
        self.listener = services.listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.restarts: list[str] = []
        self._broker_gate = folder / "no-broker"
        self._supervisor: Supervisor | None = None
        self._pids: dict[str, int] = {}
        self._output: IO[bytes] | None = None

    def start(self) -> None:
        # A campaign kills a service more often in a minute than a year does: nobody waits half a minute each time.
        supervisor.HEALTHY_S, supervisor.FIRST_DELAY_S, supervisor.LAST_DELAY_S = 5.0, 0.2, 1.0  # type: ignore[misc]
        self._output = (self.folder / "logs" / "services.log").open("ab")
        self._supervisor = Supervisor(self._services(), say=self.restarts.append, output=self._output)
        self._supervisor.start()
        self._pids = self._supervisor.pids()

    def keep_up(self, until: threading.Event) -> None:
        assert self._supervisor is not None
        while not until.wait(0.05):
            self._supervisor.tick()
            self._pids = self._supervisor.pids()

    def stop(self) -> None:
        if self._supervisor is not None and self._output is not None:
            for pid in self._pids.values():
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGCONT)
            self._supervisor.stop()
            self._output.close()
            self._supervisor = None
            self._pids = {}

    def close(self) -> None:
        self.stop()
        self.listener.close()

    def pid(self, service: str) -> int | None:
        """The service's process, which leads its group, while there is one."""
        return self._pids.get(service)

    def withhold_broker(self, withheld: bool) -> None:
        """While withheld, a broker that ends does not come back."""
        self._broker_gate.touch() if withheld else self._broker_gate.unlink(missing_ok=True)

    def log(self) -> str:
        return (self.folder / "logs" / "services.log").read_text(errors="replace")

    def _services(self) -> list[Service]:
        broker, web = services.broker(), services.web(self.listener)
        worker, beat = services.worker(concurrency=1), services.beat()
        gate = f"while [ -e {shlex.quote(str(self._broker_gate))} ]; do sleep 0.1; done; exec {shlex.join(broker.argv)}"
        return [
            replace(broker, argv=["/bin/sh", "-c", gate]),
            replace(web, argv=_instead(web.argv, "server.wsgi:application", "tests.chaos.web:application")),
            *(self._worker(worker, name) for name in WORKERS),
            replace(beat, argv=_instead(beat.argv, "workers.app", "tests.chaos.worker")),
        ]

    def _worker(self, worker: Service, name: str) -> Service:
        argv = _instead(worker.argv, "workers.app", "tests.chaos.worker")
        argv[argv.index("--hostname") + 1] = f"{name}-{os.getpid()}@%h"
        return replace(worker, name=name, argv=["nice", "-n", "5", *argv])


def migrate() -> None:
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, check=True)


def wait_until(what: str, holds: object, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]
        if time.monotonic() > end:
            raise TimeoutError(f"Not {what} within {seconds:.0f} s.")
        time.sleep(0.1)


def _instead(argv: object, old: str, new: str) -> list[str]:
    return [new if word == old else word for word in argv]  # type: ignore[attr-defined]
