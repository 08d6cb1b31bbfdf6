"""The tree of processes: it mends itself and leaves nothing behind. Real processes, small ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ops.programs import ROOT, lives, soon
from workers.supervisor import Service, StartFailed, Supervisor

SLEEPER = "import time; time.sleep(600)"
# A service with a child of its own, as a server with worker processes is; both numbers go to a file.
PARENT = f"""
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", {SLEEPER!r}])
with open(sys.argv[1] + ".tmp", "w") as file:
    file.write(f"{{os.getpid()}} {{child.pid}}")
os.rename(sys.argv[1] + ".tmp", sys.argv[1])
time.sleep(600)
"""
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); time.sleep(600)"
)


def python(name: str, code: str, *arguments: str, **options: object) -> Service:
    return Service(name, [sys.executable, "-c", code, *arguments], **options)  # type: ignore[arg-type]


def pids_in(path: Path) -> list[int]:
    return [int(word) for word in path.read_text().split()] if path.exists() else []


Start = Callable[..., tuple[Supervisor, list[str]]]


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[Supervisor] = []

    def start(*services: Service, timeout_s: float = 60.0) -> tuple[Supervisor, list[str]]:
        said: list[str] = []
        supervisor = Supervisor(services, say=said.append)
        started.append(supervisor)
        supervisor.start(timeout_s=timeout_s)
        return supervisor, said

    yield start
    for supervisor in started:
        supervisor.stop()


def ticked(supervisor: Supervisor, condition: Callable[[], object]) -> object:
    return soon(lambda: supervisor.tick() or condition())


def test_what_dies_is_started_again(start: Start) -> None:
    supervisor, said = start(python("sleeper", SLEEPER))
    first = supervisor.pids()["sleeper"]
    os.kill(first, signal.SIGKILL)
    assert ticked(supervisor, lambda: supervisor.pids().get("sleeper", first) != first)
    assert said == ["sleeper ended with signal 9: starting it again in 0.5 s."]


def test_what_dies_at_once_waits_longer_each_time(start: Start) -> None:
    supervisor, said = start(python("faulty", "raise SystemExit(3)"))
    assert ticked(supervisor, lambda: len(said) == 2)
    assert said == [
        "faulty ended with status 3: starting it again in 0.5 s.",
        "faulty ended with status 3: starting it again in 1 s.",
    ]


def test_a_service_starts_when_the_one_before_it_is_ready(start: Start, tmp_path: Path) -> None:
    mark = tmp_path / "ready"
    code = f"import pathlib, time; time.sleep(0.3); pathlib.Path({str(mark)!r}).touch(); {SLEEPER}"
    look = f"import os, sys; os.mkdir({str(tmp_path / 'seen')!r}) if os.path.exists({str(mark)!r}) else None; {SLEEPER}"
    start(python("first", code, ready=mark.exists), python("second", look))
    assert soon((tmp_path / "seen").exists)


def test_a_service_that_never_gets_ready_is_named_and_all_is_stopped(start: Start, tmp_path: Path) -> None:
    mark = tmp_path / "pids"
    with pytest.raises(StartFailed, match="The service second did not start"):
        start(
            python("first", PARENT, str(mark), ready=mark.exists),
            python("second", SLEEPER, ready=lambda: False),
            timeout_s=5.0,
        )
    assert not any(map(lives, pids_in(mark)))


def test_stopping_ends_the_children_of_services_too(start: Start, tmp_path: Path) -> None:
    mark = tmp_path / "pids"
    supervisor, _ = start(python("parent", PARENT, str(mark), ready=mark.exists))
    pids = pids_in(mark)
    assert all(map(lives, pids))
    supervisor.stop()
    assert soon(lambda: not any(map(lives, pids)))


def test_a_service_that_ignores_its_signal_is_killed(start: Start) -> None:
    supervisor, _ = start(python("stubborn", STUBBORN, grace_s=0.3))
    pid = supervisor.pids()["stubborn"]
    supervisor.stop()
    assert not lives(pid)


def test_killing_the_supervisor_with_signal_9_leaves_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "pids"
    code = f"""
import sys, time
from workers.supervisor import Service, Supervisor
supervisor = Supervisor([Service("parent", [sys.executable, "-c", {PARENT!r}, {str(mark)!r}])], say=print)
supervisor.start()
time.sleep(600)
"""
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    try:
        pids = soon(lambda: pids_in(mark))
        assert len(pids) == 2
        time.sleep(0.2)
    finally:
        process.kill()
        process.wait()
    assert soon(lambda: not any(map(lives, pids)))
