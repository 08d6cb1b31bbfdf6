"""`manage.py up`, as a person starts and stops it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ops.programs import ROOT, environment, family, lives, soon

pytestmark = pytest.mark.slow

Up = Callable[..., tuple[subprocess.Popen[str], Path]]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that is up to date, to copy."""
    folder = tmp_path_factory.mktemp("migrated")
    env = environment("dev", folder, {})
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=env, check=True)
    return folder / "ridgepoint.sqlite3"


@pytest.fixture
def up(tmp_path: Path, database: Path) -> Iterator[Up]:
    """Starts `manage.py up` with these arguments; returns it and the file that holds what it says."""
    (tmp_path / "data").mkdir()
    shutil.copy(database, tmp_path / "data")
    started: list[subprocess.Popen[str]] = []

    def up(*arguments: str) -> tuple[subprocess.Popen[str], Path]:
        log = tmp_path / f"log-{len(started)}"
        with log.open("w") as output:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "up", *arguments],
                cwd=ROOT,
                env=environment("dev", tmp_path / "data", {}),
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
            )
        started.append(process)
        return process, log

    yield up
    for process in started:
        process.terminate()
        process.wait(60)


def is_up(process: subprocess.Popen[str], log: Path) -> str:
    """What it says once it is up, or what it said when it ended."""
    soon(lambda: "Ridgepoint is up" in log.read_text() or process.poll() is not None)
    return log.read_text()


def test_it_serves_pages_and_stops_cleanly(up: Up) -> None:
    process, log = up("broker", "web", "--port", "0")
    url = re.search(r"http://\S+/", is_up(process, log))
    assert url, log.read_text()
    with urllib.request.urlopen(url[0], timeout=30) as page:  # noqa: S310 - our own address
        assert page.status == 200
    pids = family(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert not any(map(lives, pids))


def test_nobody_else_may_write_to_the_broker(up: Up, tmp_path: Path) -> None:
    is_up(*up("broker"))
    socket_path = tmp_path / "data" / "run" / "broker.sock"
    assert stat.S_IMODE(socket_path.parent.stat().st_mode) == 0o700


def test_killed_with_signal_9_it_leaves_no_process(up: Up) -> None:
    process, log = up("--port", "0")
    assert "Ridgepoint is up" in is_up(process, log)
    # The worker's pool takes a moment to fork; what it forks must go too.
    soon(lambda: len(family(process.pid)) >= 8, within_s=20)
    pids = family(process.pid)
    process.kill()
    assert soon(lambda: not any(map(lives, pids))), [Path(f"/proc/{pid}/cmdline").read_text() for pid in pids]


def test_a_killed_worker_comes_back(up: Up) -> None:
    process, log = up("broker", "worker")
    is_up(process, log)
    (worker,) = (pid for pid in family(process.pid) if "celery" in command(pid) and parent(pid) == process.pid)
    os.kill(worker, signal.SIGKILL)
    assert soon(lambda: "worker ended with signal 9: starting it again" in log.read_text())
    assert soon(lambda: [pid for pid in family(process.pid) if "celery" in command(pid)])


def test_a_port_that_is_taken_is_named(up: Up) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        process, log = up("web", "--port", str(port))
        assert process.wait(60) != 0
    assert f"Can't listen on 127.0.0.1:{port} (Address already in use): stop what listens there" in log.read_text()


def test_a_second_one_from_the_same_folder_is_refused(up: Up) -> None:
    process, log = up("broker")
    is_up(process, log)
    second, said = up("broker")
    assert second.wait(60) != 0
    assert "The service broker already runs from" in said.read_text()
    assert f"(process {process.pid})" in said.read_text()


def test_a_service_that_does_not_exist_is_named(up: Up) -> None:
    process, log = up("brocker")
    assert process.wait(60) != 0
    assert "No service is called brocker: name some of broker, web, worker, beat." in log.read_text()


def test_a_database_without_its_tables_is_refused(up: Up, tmp_path: Path) -> None:
    (tmp_path / "data" / "ridgepoint.sqlite3").unlink()
    process, log = up()
    assert process.wait(60) != 0
    assert "The database is not up to date: run `manage.py migrate` first." in log.read_text()


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
