"""Runs through the real engine and real jails, in this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from graders.bundle import LabLimits
from server.domain.catalog import actions as catalog
from server.domain.catalog import queries as courses
from server.domain.core import blobs, clock
from server.domain.labs import actions, queries
from server.domain.labs.models import GradingRun, RunState, Submission
from tests import factories
from tests.factories import EMPTY, LAB, NOW, RIGHT, Cast, notebook, submit
from workers.pool import default_pool
from workers.runs import DOUBT, Runner
from workers.sandbox import default_sandbox

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ENDLESS = notebook({**RIGHT, "q1": f"import time; time.sleep(280)\n{RIGHT['q1']}"})


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return make_runner(tmp_path)


def make_runner(tmp_path: Path, stopping: Callable[[], bool] = lambda: False) -> Runner:
    sandbox = default_sandbox(settings.LAB_PYTHON)
    return Runner(sandbox, settings.LAB_PYTHON, tmp_path / "cache", worker="here:1", stopping=stopping)


def in_thread(work: Callable[[], object]) -> threading.Thread:
    def run() -> None:
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.fixture
def endless(cast: Cast, settings: object) -> Submission:
    """A submission whose grading no test outlives."""
    settings.RUN_LEASE_SECONDS = 3  # type: ignore[attr-defined]
    limits = LabLimits(cell_s=290, run_s=290)
    version = factories.publish(summary="With patience.", limits=limits)
    catalog.use_version(actor=None, klass=cast.klass, version=version, now=NOW)
    return submit(cast.sam, cast.klass, content=ENDLESS, now=clock.now())


def wait_for_cells() -> None:
    while not GradingRun.objects.filter(phase="cells").exists():
        time.sleep(0.05)


@pytest.mark.parametrize(("answers", "score"), [(RIGHT, 3.0), (EMPTY, 0.0)])
def test_a_notebook_gets_what_it_deserves(cast: Cast, runner: Runner, answers: dict[str, str], score: float) -> None:
    submit(cast.sam, cast.klass, content=notebook(answers), now=clock.now())
    assert runner.grade_next()
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    assert (row.state, row.score, row.max_score) == (RunState.DONE, score, 3.0)


def test_a_kill_that_may_have_come_from_outside_counts_only_once_it_repeats(cast: Cast, runner: Runner) -> None:
    suicide = notebook({**RIGHT, "q1": "import os; os.kill(os.getpid(), 9)"})
    submission = submit(cast.sam, cast.klass, content=suicide, now=clock.now())
    runner.grade_next()
    run = submission.runs.get()
    assert (run.state, run.fault[:49]) == (RunState.QUEUED, "The notebook's process was killed with signal 9, ")
    submission.runs.update(not_before=clock.now())
    runner.grade_next()
    run = submission.runs.get()
    assert (run.state, run.score) == (RunState.DONE, 1.0)


def test_a_notebook_that_is_killed_in_another_way_each_time_is_graded_on_its_last_try(
    cast: Cast, runner: Runner
) -> None:
    """Nobody outside kills one submission's process at every try."""
    whim = "import os, random\nif random.random() < 2: os.kill(os.getpid(), 9)"
    submission = submit(cast.sam, cast.klass, content=notebook({**RIGHT, "q1": whim}), now=clock.now())
    tries = settings.RUN_MAX_TRIES
    for _ in range(tries):
        runner.grade_next()
        submission.runs.filter(state=RunState.QUEUED).update(
            not_before=clock.now(), fault=f"{DOUBT} (other points, failed cells: others)."
        )
    run = submission.runs.get()
    assert (run.state, run.score, run.tries) == (RunState.DONE, 1.0, tries)


def test_a_worker_that_can_not_write_leaves_the_others_their_tries(cast: Cast, runner: Runner) -> None:
    """It meets two submissions, and then rests instead of using up every run's tries."""
    runner.cache_dir.write_text("no folder")
    students = [factories.student_of(cast.klass, name) for name in ("Ada", "Bob", "Cyd", "Dan")]
    for student in students:
        submit(student, cast.klass, now=clock.now())
    while runner.grade_next():
        pass
    assert sorted(GradingRun.objects.values_list("tries", flat=True)) == [0, 0, 1, 1]
    runner.cache_dir.unlink()
    assert not runner.grade_next()  # it rests
    runner.fitness._rests_until = 0.0
    assert runner.grade_next()


def test_the_report_says_how_long_it_waited(cast: Cast, runner: Runner) -> None:
    submission = submit(cast.sam, cast.klass, now=clock.now() - timedelta(seconds=90))
    runner.grade_next()
    graded = queries.report_for(cast.sam, submission.uuid)
    assert graded is not None
    assert graded.report.timing.queued_s >= 90
    assert graded.report.timing.started_s > 0


def test_the_executed_notebook_is_rendered_after_the_report(cast: Cast, runner: Runner) -> None:
    submission = submit(cast.sam, cast.klass, now=clock.now())
    runner.grade_next()
    assert queries.rendered_notebook(cast.sam, submission.uuid) is None
    assert runner.render_next()
    assert "return" in (queries.rendered_notebook(cast.sam, submission.uuid) or "")


def test_what_a_student_prints_as_a_script_does_not_reach_the_page(cast: Cast, runner: Runner) -> None:
    evil = "from IPython.display import HTML, display\ndisplay(HTML('<script>alert(1)</script><b>kept</b>'))\n"
    submission = submit(cast.sam, cast.klass, content=notebook({"q1": evil + RIGHT["q1"]}), now=clock.now())
    runner.grade_next()
    runner.render_next()
    page = queries.rendered_notebook(cast.sam, submission.uuid) or ""
    assert "<b>kept</b>" in page
    assert "<script" not in page


@pytest.fixture
def warm_runner(tmp_path: Path) -> Iterator[Runner]:
    pool = default_pool(settings.LAB_PYTHON)
    yield Runner(pool, settings.LAB_PYTHON, tmp_path / "cache", worker="here:1")
    pool.close()


def test_a_worker_that_has_got_ready_grades(cast: Cast, warm_runner: Runner) -> None:
    submission = submit(cast.sam, cast.klass, now=clock.now())
    warm_runner.warm_up()
    warm_runner.grade_next()
    assert submission.runs.get().score == 3.0


def test_a_worker_gets_ready_whatever_is_lost(cast: Cast, warm_runner: Runner) -> None:
    submit(cast.sam, cast.klass, now=clock.now())
    name = factories.bundle().digest
    (Path(settings.BLOB_DIR) / name[:2] / name[2:]).unlink()
    courses.bundle.cache_clear()
    with pytest.raises(blobs.BlobLost):
        queries.latest_bundles(1)
    warm_runner.warm_up()


def test_an_empty_queue_is_no_work(cast: Cast, runner: Runner) -> None:
    assert not runner.grade_next()
    assert not runner.render_next()


def test_lost_bytes_are_our_fault_and_cost_no_attempt(cast: Cast, runner: Runner) -> None:
    submission = submit(cast.sam, cast.klass, now=clock.now())
    name = submission.notebook_sha
    (Path(settings.BLOB_DIR) / name[:2] / name[2:]).unlink()
    runner.grade_next()
    status = queries.run_status(cast.ines, submission.uuid, now=clock.now())
    assert (status.state, status.tries) == (RunState.QUEUED, 1)
    assert "can't be read" in status.fault


def test_a_lost_run_is_stopped_and_not_recorded(endless: Submission, runner: Runner) -> None:
    grading = in_thread(runner.grade_next)
    wait_for_cells()
    later = clock.now() + timedelta(hours=1)
    actions.reap(now=later)
    assert actions.claim_next(worker="another:1", now=later) is not None
    grading.join()
    run = endless.runs.get()
    assert (run.state, run.worker, run.report) == (RunState.RUNNING, "another:1", None)


def test_a_worker_told_to_stop_gives_its_run_back(endless: Submission, tmp_path: Path) -> None:
    stop = threading.Event()
    grading = in_thread(make_runner(tmp_path, stop.is_set).grade_next)
    wait_for_cells()
    stop.set()
    grading.join()
    run = endless.runs.get()
    assert (run.state, run.tries, run.report) == (RunState.QUEUED, 0, None)


def test_a_failed_rendering_leaves_the_score(cast: Cast, runner: Runner) -> None:
    submission = submit(cast.sam, cast.klass, now=clock.now())
    runner.grade_next()
    run = submission.runs.get()
    (Path(settings.BLOB_DIR) / run.executed_sha[:2] / run.executed_sha[2:]).unlink()
    assert runner.render_next()
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    assert (row.state, row.score) == (RunState.DONE, 3.0)
    assert blobs.get(submission.raw_sha)
