"""One grading run from claim to record: the queue on one side, the engine on the other, a heartbeat beside them."""

from __future__ import annotations

import contextlib
import functools
import logging
import secrets
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection

from graders.report import Report
from server.domain.core import blobs
from server.domain.core.clock import now
from server.domain.core.events import log
from server.domain.labs import actions, queries
from server.domain.labs.actions import ClaimedRun, LostLease
from server.lib import sanitize
from workers import engine
from workers.fitness import Fitness
from workers.jails import LabJails, render_jail
from workers.pool import WarmPool
from workers.sandbox.interface import Sandbox, SandboxUnavailable

PROGRESS_EVERY_S: Final = 0.3
MOST_LABS_READY: Final = 2
NO_CELLS: Final = b'{"cells": [], "nbformat": 4}'
TRIAL_BYTES: Final = 1024 * 1024
DOUBT: Final = (
    "The notebook's process was killed with signal 9, by its own code or from outside: it counts if that happens "
    "again in the same way"
)
OURS: Final = (engine.InfrastructureFault, SandboxUnavailable, blobs.BlobLost)

logger = logging.getLogger(__name__)


class KillDoubted(engine.InfrastructureFault):
    """The notebook may have killed itself, or have been killed: nobody can tell from one try."""


@dataclass(frozen=True)
class Runner:
    """Grades and renders for one worker process."""

    sandbox: Sandbox
    lab_python: Path
    cache_dir: Path
    worker: str
    stopping: Callable[[], bool] = lambda: False

    @functools.cached_property
    def fitness(self) -> Fitness:
        return Fitness(self._try_out)

    def _try_out(self) -> None:
        """Start a jail, and write as a run would."""
        engine.render(NO_CELLS, sandbox=self.sandbox, lab_python=self.lab_python)
        blobs.put(secrets.token_bytes(16))
        self.cache_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self.cache_dir) as file:
            file.write(bytes(TRIAL_BYTES))

    def warm_up(self) -> None:
        """Have jails ready for the labs that were handed in last. Whatever fails now will be told when it is needed."""
        if not isinstance(self.sandbox, WarmPool):
            return
        with contextlib.suppress(DatabaseError, blobs.BlobLost, OSError, ValueError, SandboxUnavailable):
            for bundle in queries.latest_bundles(MOST_LABS_READY):
                if not bundle.prime:  # to compile takes longer than a worker may take to start
                    lab = LabJails(bundle, sandbox=self.sandbox, lab_python=self.lab_python, cache_dir=self.cache_dir)
                    self.sandbox.prepare(*lab.kinds)
            self.sandbox.prepare(render_jail(self.lab_python))

    def grade_next(self) -> bool:
        """Claim the next run and see it through. False when none was waiting, or this worker is in no state to."""
        if not self.fitness.may_claim():
            return False
        claimed = actions.claim_next(worker=self.worker, now=now())
        if claimed is None:
            return False
        with Heartbeat(claimed) as heartbeat:
            try:
                self._grade(claimed, heartbeat)
            except LostLease:
                log(logger, "run.lost", logging.WARNING, run=claimed.run, token=claimed.token)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is ours, and costs the student nothing
                self._give_back(claimed, heartbeat, error)
        return True

    def render_next(self) -> bool:
        """Make the readable copy of one executed notebook. False when none was waiting."""
        rendering = actions.claim_rendering(now=now())
        if rendering is None:
            return False
        try:
            html = engine.render(blobs.get(rendering.executed_sha), sandbox=self.sandbox, lab_python=self.lab_python)
            sha = blobs.put(sanitize.notebook_html(html).encode())
        except Exception:
            # It stays claimed for a while, then somebody tries again; the score is safe already.
            logger.exception("rendering.failed run=%s", rendering.run)
            return True
        actions.record_rendering(run=rendering.run, html_sha=sha, now=now())
        return True

    def _grade(self, claimed: ClaimedRun, heartbeat: Heartbeat) -> None:
        bundle, notebook = queries.work_of(claimed)
        outcome = engine.grade(
            bundle,
            notebook,
            seed=claimed.seed,
            sandbox=self.sandbox,
            lab_python=self.lab_python,
            cache_dir=self.cache_dir,
            on_progress=heartbeat.show,
            should_stop=lambda: heartbeat.lost or self.stopping(),
        )
        if heartbeat.lost:
            raise LostLease(f"Run {claimed.run} was lost while it was graded.")
        if outcome.killed and not _is_believed(outcome.report, claimed):
            raise KillDoubted(_doubt(outcome.report))
        timing = replace(
            outcome.report.timing,
            queued_s=_seconds(claimed.queued_at, claimed.started_at),
            started_s=heartbeat.first_cell_after_s,
        )
        actions.record_report(
            run=claimed.run,
            token=claimed.token,
            report=replace(outcome.report, timing=timing),
            executed_sha=blobs.put(outcome.executed),
            now=now(),
        )
        self.fitness.note_success()

    def _give_back(self, claimed: ClaimedRun, heartbeat: Heartbeat, error: Exception) -> None:
        try:
            if heartbeat.lost:
                log(logger, "run.lost", logging.WARNING, run=claimed.run, token=claimed.token)
            elif self.stopping():
                actions.release(run=claimed.run, token=claimed.token, now=now())
            else:
                if isinstance(error, KillDoubted):
                    log(logger, "run.killed", logging.WARNING, run=claimed.run, tries=claimed.tries)
                else:
                    logger.error("run.broken run=%s", claimed.run, exc_info=error)
                    self.fitness.note_fault(claimed.submission)
                actions.record_fault(run=claimed.run, token=claimed.token, fault=_fault(error), now=now())
        except LostLease:
            log(logger, "run.lost", logging.WARNING, run=claimed.run, token=claimed.token)


class Heartbeat:
    """Keeps a claimed run's lease alive, and its progress visible, from a thread with a connection of its own.

    `lost` turns true, for good, when the run is no longer ours: another worker has it, or the database was out of
    reach for longer than the lease.
    """

    def __init__(self, claimed: ClaimedRun) -> None:
        self._claimed = claimed
        self._begun = time.monotonic()
        self._lease_s = float(settings.RUN_LEASE_SECONDS)
        self._lease_end = self._begun + self._lease_s
        self._progress: engine.Progress | None = None
        self._over = threading.Event()
        self._lost = threading.Event()
        self._thread = threading.Thread(target=self._beat_until_over, name=f"heartbeat-{claimed.run}", daemon=True)
        self.first_cell_after_s = 0.0

    @property
    def lost(self) -> bool:
        return self._lost.is_set()

    def show(self, progress: engine.Progress) -> None:
        """Remember how far grading is; the thread writes it down. Never blocks."""
        if progress.phase != "starting" and not self.first_cell_after_s:
            self.first_cell_after_s = time.monotonic() - self._begun
        self._progress = progress

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _beat_until_over(self) -> None:
        shown: engine.Progress | None = None
        due = self._begun + self._lease_s / 3
        try:
            while not self._over.wait(min(PROGRESS_EVERY_S, self._lease_s / 4)):
                progress = self._progress
                if progress is shown and time.monotonic() < due:
                    continue
                if not self._beat(progress):
                    return
                shown, due = progress, time.monotonic() + self._lease_s / 3
        finally:
            connection.close()

    def _beat(self, progress: engine.Progress | None) -> bool:
        """Whether to go on."""
        asked = time.monotonic()
        try:
            actions.heartbeat(run=self._claimed.run, token=self._claimed.token, progress=progress, now=now())
        except LostLease:
            self._lost.set()
        except DatabaseError as error:
            log(logger, "run.heartbeat-failed", logging.WARNING, run=self._claimed.run, error=type(error).__name__)
            connection.close()
            if time.monotonic() > self._lease_end:
                self._lost.set()
        else:
            self._lease_end = asked + self._lease_s
        return not self.lost


def _fault(error: Exception) -> str:
    """One sentence for operators."""
    if isinstance(error, OURS) and str(error):
        return str(error).partition("\n")[0]
    if isinstance(error, OSError) and error.strerror:
        return f"The grader could not write or read what it needs: {error.strerror}."
    return f"The grader broke ({type(error).__name__}): its log has the details."


def _is_believed(report: Report, claimed: ClaimedRun) -> bool:
    """Once a try before came to the same; and on the last try, once a try before was killed at all: who is killed
    each time, in whatever way, is killed by its own code."""
    last = claimed.tries >= settings.RUN_MAX_TRIES
    return claimed.fault == _doubt(report) or (last and claimed.fault.startswith(DOUBT))


def _doubt(report: Report) -> str:
    """Why a report is not believed before another try has come to the same: nobody may pay for a kill from outside."""
    cells = ", ".join(str(failure.number) for failure in report.cells.failed[:20])
    return f"{DOUBT} ({report.score:g} points, failed cells: {cells or 'none'})."


def _seconds(start: datetime, end: datetime) -> float:
    return max(timedelta(), end - start).total_seconds()
