"""The processes that grade, started as `manage.py up` starts them, on the tests' own database, store and broker."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from workers import services
from workers.supervisor import Service

LEASE_S: Final = 3


def database_url() -> str:
    """The tests' database, for another process."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    host = database["OPTIONS"].get("host") or database["HOST"]
    login = f"{quote(database['USER'])}:{quote(database['PASSWORD'])}"
    return f"postgresql://{login}@/{database['NAME']}?host={quote(host)}" + (
        f"&port={database['PORT']}" if database["PORT"] else ""
    )


class Plant:
    """Starts what `manage.py up` starts, each with its own process group."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, service: Service) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            **service.env,
            "DATABASE_URL": database_url(),
            "RIDGEPOINT_DATA_DIR": str(self.data_dir),
            "RIDGEPOINT_BROKER_URL": settings.BROKER_URL,
            "RIDGEPOINT_LAB_PYTHON": str(settings.LAB_PYTHON),
            "RIDGEPOINT_RUN_LEASE_SECONDS": str(LEASE_S),
        }
        with (self.data_dir / f"{service.name}.log").open("ab") as output:
            process = subprocess.Popen(
                service.argv, env=environment, stdout=output, stderr=output, start_new_session=True
            )
        self.started.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start(services.worker(concurrency=1))

    def beat(self) -> subprocess.Popen[bytes]:
        return self.start(services.beat())

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def wait(self, what: str, holds: Callable[[], bool], seconds: float = 90) -> None:
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                logs = "\n".join(path.read_text() for path in self.data_dir.glob("*.log"))
                raise AssertionError(f"Not {what} within {seconds} s.\n{logs}")
            time.sleep(0.1)
