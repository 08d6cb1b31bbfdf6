"""Looks at one grading from outside: when its jails start and end, what it does in between, what memory they took."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graders.bundle import LabBundle
from graders.notebook import intake
from workers import engine
from workers.sandbox.interface import Ending, Jail, JailSpec, Sandbox

PHASES = ("intake", "start of jails", "first answer", "cells", "tests", "end of jails", "report")


class Timeline:
    """Which phase it is; each lasts until the next begins."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._marks: list[tuple[float, str]] = []

    def mark(self, phase: str) -> str:
        """Returns the phase that it was."""
        before = self._marks[-1][1] if self._marks else ""
        self._marks.append((self._clock(), phase))
        return before

    def totals(self) -> dict[str, float]:
        """Seconds by phase, until the last mark."""
        found: dict[str, float] = {}
        for (began, phase), (ended, _) in zip(self._marks, self._marks[1:], strict=False):
            found[phase] = found.get(phase, 0.0) + ended - began
        return found


class WatchedSandbox:
    """Another sandbox, with a timeline."""

    def __init__(self, inner: Sandbox, timeline: Timeline) -> None:
        self.name = inner.name
        self.peaks: dict[str, int] = {}
        self._inner = inner
        self._timeline = timeline

    def start(self, spec: JailSpec) -> Jail:
        before = self._timeline.mark("start of jails")
        jail = self._inner.start(spec)
        self._timeline.mark(before)
        return _WatchedJail(jail, spec.name, self)

    def ended(self, name: str, kill: Callable[[], Ending]) -> Ending:
        before = self._timeline.mark("end of jails")
        ending = kill()
        # What comes after the student's end is the examiner's report.
        self._timeline.mark("report" if before in ("cells", "tests") else before)
        if ending.peak_memory_bytes is not None:
            self.peaks[name] = max(self.peaks.get(name, 0), ending.peak_memory_bytes)
        return ending


class _WatchedJail:
    def __init__(self, jail: Jail, name: str, sandbox: WatchedSandbox) -> None:
        self._jail = jail
        self._name = name
        self._sandbox = sandbox

    @property
    def limits_in_force(self) -> Mapping[str, str]:
        return self._jail.limits_in_force

    def ended(self) -> Ending | None:
        return self._jail.ended()

    def kill(self) -> Ending:
        return self._sandbox.ended(self._name, self._jail.kill)

    def stderr_tail(self) -> str:
        return self._jail.stderr_tail()


def graded(
    bundle: LabBundle, content: bytes, *, sandbox: Sandbox, lab_python: Path, cache_dir: Path
) -> tuple[dict[str, Any], bytes]:
    """From an upload's bytes to its report: figures, and the executed notebook.

    Raises:
        ValueError: it did not get full marks, so that its times mean nothing.
    """
    timeline = Timeline()
    watched = WatchedSandbox(sandbox, timeline)
    started = time.perf_counter()
    timeline.mark("intake")
    notebook = intake.normalize(content, filename="notebook.ipynb", max_bytes=bundle.limits.notebook_bytes).notebook

    def progress(progress: engine.Progress) -> None:
        timeline.mark("first answer" if progress.phase == "starting" else progress.phase)

    outcome = engine.grade(
        bundle,
        notebook,
        seed=1,
        sandbox=watched,
        lab_python=lab_python,
        cache_dir=cache_dir,
        on_progress=progress,
    )
    whole = time.perf_counter() - started
    timeline.mark("over")
    report = outcome.report
    if report.score < report.max_score:
        raise ValueError(f"Right answers got {report.score:g} of {report.max_score:g} points: mend that first.")
    figures = {
        "whole_s": whole,
        "cells_s": report.timing.cells_s,
        "tests_s": report.timing.tests_s,
        "phases": timeline.totals(),
        "peaks": watched.peaks,
    }
    return figures, outcome.executed
