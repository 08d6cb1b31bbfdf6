"""Named moments inside the installation's own processes, at which the saboteur can stop and strike them.

Only the campaign's command lines load this (apps.py): nothing in the house knows of it. A process that comes to an
armed moment says so in a file and waits until that file is removed; one that nobody armed costs a look at a folder.
"""

from __future__ import annotations

import errno
import functools
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

FOLDER: Final = "RIDGEPOINT_CHAOS_POINTS"
HELD_S: Final = 60.0
LOOK_S: Final = 0.01

# The audit trail is written inside the transaction of what it tells of: here it is still open, and there committed.
IN_TRANSACTION: Final = {
    "labs.run-queued": "submit: in its transaction",
    "labs.run-claimed": "claim: in its transaction",
    "labs.run-graded": "report: in its transaction",
    "labs.run-set-back": "set back: in its transaction",
    "labs.rendered": "page: in its transaction",
}
COMMITTED: Final = {
    "labs.run-queued": "submit: committed",
    "labs.run-claimed": "claim: committed",
    "labs.run-graded": "report: just recorded",
    "labs.rendering-claimed": "page: claimed",
}
PHASES: Final = {
    "starting": "run: starting",
    "cells": "run: cells",
    "tests": "run: tests",
}
ANNOUNCING: Final = "announcement"
REPORTING: Final = "report: about to be recorded"
STORING: Final = "file: half written"
REAPING: Final = "reaper"
BEATING: Final = "beat"
SETTING_BACK: Final = IN_TRANSACTION["labs.run-set-back"]
PAGE_DONE: Final = "page: about to be recorded"
NAMES: Final = (
    *(STORING, *list(IN_TRANSACTION.values())[:1], "submit: committed", ANNOUNCING),
    *("claim: in its transaction", "claim: committed", *PHASES.values()),
    *(REPORTING, "report: in its transaction", "report: just recorded"),
    *("page: claimed", PAGE_DONE, "page: in its transaction"),
    *(BEATING, REAPING, SETTING_BACK),
)


@dataclass(frozen=True)
class Reached:
    """A process that waits at a moment. `run` is the run that it is about, where there is one."""

    name: str
    pid: int
    run: str | None


class Points:
    """The saboteur's side."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in ("armed", "claimed", "reached", "full"):
            (folder / part).mkdir(parents=True, exist_ok=True)

    def arm(self, name: str) -> None:
        (self.folder / "armed" / name).touch()

    def reached(self, name: str) -> Reached | None:
        try:
            told = json.loads((self.folder / "reached" / name).read_text())
        except FileNotFoundError:
            return None
        return Reached(name, told["pid"], told["run"])

    def disarm(self, name: str) -> None:
        """Let go whoever waits there, and stop nobody else."""
        for part in ("armed", "reached"):
            (self.folder / part / name).unlink(missing_ok=True)

    def fill_the_store(self, full: bool) -> None:
        """For a machine that lends us no disk to fill."""
        flag = self.folder / "full" / "flag"
        flag.touch() if full else flag.unlink(missing_ok=True)


def install() -> None:
    """Patch this process."""
    from celery.beat import Scheduler
    from django.db import transaction

    from server.domain.core import announce, audit, blobs
    from server.domain.labs import actions, rendering
    from workers import runs

    folder = Path(os.environ[FOLDER])
    record, show, mkstemp = audit.record, runs.Heartbeat.show, blobs.tempfile.mkstemp

    def recorded(verb: str, target: Any, **rest: Any) -> None:
        record(verb, target, **rest)
        run = str(target.uuid)
        if name := COMMITTED.get(verb):
            transaction.on_commit(functools.partial(_come_to, folder, name, run))
        if name := IN_TRANSACTION.get(verb):
            _come_to(folder, name, run)

    def shown(self: runs.Heartbeat, progress: Any) -> None:
        show(self, progress)
        if name := PHASES.get(progress.phase):
            _come_to(folder, name, str(self._claimed.run))

    def made(**place: Any) -> tuple[int, str]:
        if (folder / "full" / "flag").exists():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        file = mkstemp(**place)
        _come_to(folder, STORING, None)
        return file

    audit.record = recorded
    runs.Heartbeat.show = shown  # type: ignore[method-assign]
    blobs.tempfile = SimpleNamespace(mkstemp=made)  # type: ignore[assignment]
    actions.record_report = _after(folder, REPORTING, actions.record_report)
    actions.record_rendering = _after(folder, PAGE_DONE, actions.record_rendering)
    actions.reap = _after(folder, REAPING, actions.reap)
    actions.take_back = _after(folder, REAPING, actions.take_back)
    announce.announce = _after(folder, ANNOUNCING, announce.announce)
    Scheduler.apply_async = _after(folder, BEATING, Scheduler.apply_async)
    # As long as a lease of the campaign's, not as one of a long-lived installation's.
    rendering.RENDERING_LEASE = timedelta(seconds=5)  # type: ignore[misc]


def _after(folder: Path, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def delayed(*args: Any, **options: Any) -> Any:
        run = options.get("run")
        _come_to(folder, name, None if run is None else str(run))
        return function(*args, **options)

    return delayed


def _come_to(folder: Path, name: str, run: str | None) -> None:
    claimed = folder / "claimed" / f"{name}.{os.getpid()}"
    try:
        (folder / "armed" / name).rename(claimed)  # one process alone succeeds
    except FileNotFoundError:
        return
    claimed.write_text(json.dumps({"pid": os.getpid(), "run": run}))
    reached = folder / "reached" / name
    claimed.rename(reached)
    end = time.monotonic() + HELD_S
    while reached.exists() and time.monotonic() < end:
        time.sleep(LOOK_S)
