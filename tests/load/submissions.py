"""A hundred notebooks handed in at once, through the real queue: `python -m tests.load.submissions --workers 2`.

A migrated database of its own, an embedded broker, a Celery worker and its clock, all as `manage.py up` starts them.
Prints one JSON object: when each of them was handed in, graded and rendered; and before, what a few took alone.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.load import labs
from tests.load.figures import SPREAD_HEAD, Target, say, spread, spread_cells, table
from tests.load.peers import ROOT, Material, OtterRun, PeerFailed

COUNT: Final = 100
ALONE: Final = 10
SHARE: Final = 0.2
WAIT_S: Final = 900.0
WORKERS: Final = (1, 2)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.submissions", description=__doc__)
    parser.add_argument("--workers", type=int, default=1, help="processes of the worker")
    parser.add_argument("--count", type=int, default=COUNT)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ridgepoint-load-") as name:
        folder = Path(name)
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "server.settings.dev",
            "DATABASE_URL": f"sqlite:///{folder / 'ridgepoint.sqlite3'}",
            "RIDGEPOINT_DATA_DIR": name,
            "RIDGEPOINT_DEBUG": "0",
            "PYTHONPATH": str(ROOT),
        }
        os.environ.pop("RIDGEPOINT_BROKER_URL", None)
        found = _hand_in(folder, options.workers, options.count)
    sys.stdout.write(json.dumps(found) + "\n")


def _hand_in(folder: Path, workers: int, count: int) -> dict[str, Any]:
    import django
    from django.core.management import call_command

    django.setup()
    logging.disable(logging.INFO)
    call_command("migrate", verbosity=0)

    from server.domain.catalog import actions as catalog
    from server.domain.core import clock
    from tests import factories
    from tests.load.crowd import crowd
    from workers import services
    from workers.supervisor import Supervisor

    now = clock.now()
    bundles = {factories.LAB: labs.small()}
    version = catalog.publish_course(actor=None, manifest=factories.manifest(), labs=bundles, now=now)
    students = iter(crowd(version, 1 + 2 * workers + ALONE + count, now=now).students)
    klass = version.classes.get()
    content = labs.notebook()

    def hand_in() -> float:
        began = time.perf_counter()
        factories.submit(next(students), klass, now=clock.now(), content=content)
        return time.perf_counter() - began

    with (folder / "services.log").open("wb") as log:
        broker = Supervisor([services.broker()], say=_warn, output=log)
        grading = Supervisor([services.worker(concurrency=workers), services.beat()], say=_warn, output=log)
        wait = _Waiting((broker, grading), folder / "services.log")
        try:
            broker.start()
            hand_in()  # it waits when the worker starts, which finds a lab to have jails ready for
            began = time.perf_counter()
            grading.start()
            wait.until(_graded, 1)
            first_s = time.perf_counter() - began
            for _ in range(2 * workers):  # so that each process has graded
                hand_in()
            wait.until(_rendered, 1 + 2 * workers)
            for number in range(ALONE):
                hand_in()
                wait.until(_rendered, 2 + 2 * workers + number)
            before = _graded()
            began = time.perf_counter()
            submit = [hand_in() for _ in range(count)]
            handed_in_s = time.perf_counter() - began
            wait.until(_graded, before + count)
            whole_s = time.perf_counter() - began
            wait.until(_rendered, before + count)
            rendered_s = time.perf_counter() - began
        finally:
            grading.stop()
            broker.stop()
    return {
        "workers": workers,
        "count": count,
        "first_report_s": first_s,
        "submit_s": submit,
        "handed_in_s": handed_in_s,
        "whole_s": whole_s,
        "rendered_s": rendered_s,
        "alone_s": _records(count + ALONE)["to_report_s"][count:],
        **_records(count),
    }


class _Waiting:
    """Keeps the services up while it waits."""

    def __init__(self, supervisors: Sequence[Any], log: Path) -> None:
        self._supervisors = supervisors
        self._log = log

    def until(self, counted: Callable[[], int], many: int) -> None:
        end = time.monotonic() + WAIT_S
        while counted() < many:
            for each in self._supervisors:
                each.tick()
            if time.monotonic() > end:
                sys.exit(f"Not graded within {WAIT_S:.0f} s:\n{self._log.read_text(errors='replace')[-4000:]}")
            time.sleep(0.1)


def _graded() -> int:
    from server.domain.labs.models import GradingRun, RunState

    return GradingRun.objects.filter(state=RunState.DONE).count()


def _rendered() -> int:
    from server.domain.labs.models import GradingRun

    return GradingRun.objects.exclude(html_sha="").count()


def _records(count: int) -> dict[str, list[float]]:
    """Of the last so many runs: seconds from handing in to the report, and of these from the claim on.

    Whatever was not graded right the first time ends the bench: its times would mean nothing.
    """
    from server.domain.labs.models import GradingRun

    runs = list(GradingRun.objects.order_by("-pk")[:count])
    if wrong := [run for run in runs if run.score != run.max_score]:
        sys.exit(f"{len(wrong)} of {count} right notebooks did not get full marks.")
    ended = [(run, run.finished_at) for run in runs if run.finished_at is not None and run.started_at is not None]
    return {
        "to_report_s": [(at - run.queued_at).total_seconds() for run, at in ended],
        "grading_s": [(at - run.started_at).total_seconds() for run, at in ended if run.started_at is not None],
        "tries": [run.tries for run in runs],
    }


def _warn(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


def bench(*, quick: bool) -> dict[str, Any]:
    """Each number of workers in an installation of its own, and a sample on otter-grader in as many lanes."""
    count, sample = (10, 2) if quick else (COUNT, 8)
    ours, otter = [], []
    for workers in WORKERS:
        command = [sys.executable, "-m", "tests.load.submissions", "--workers", str(workers), "--count", str(count)]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        ours.append(json.loads(done.stdout.splitlines()[-1]))
        otter.append(_otter(lanes=workers, sample=sample, count=count))
    return {"count": count, "ours": ours, "otter": otter}


def _otter(*, lanes: int, sample: int, count: int) -> dict[str, Any]:
    """`otter run` on so many notebooks, so many at a time: what `count` of them would take."""
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(sample):
        todo.put(number)
    times: list[float] = []
    failed: list[str] = []
    with Material(labs.small(), labs.notebook()) as material:

        def lane() -> None:
            while not failed:
                try:
                    todo.get_nowait()
                    times.append(OtterRun(material).run())
                except queue.Empty:
                    return
                except PeerFailed as error:
                    failed.append(str(error))

        began = time.perf_counter()
        threads = [threading.Thread(target=lane) for _ in range(lanes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - began
    if failed:
        return {"lanes": lanes, "failed": failed[0]}
    return {"lanes": lanes, "sample": sample, "sample_s": took, "each_s": times, "scaled_s": took * count / sample}


def summarize(found: Mapping[str, Any]) -> dict[str, Any]:
    rows = []
    for ours, otter in zip(found["ours"], found["otter"], strict=True):
        scaled = otter.get("scaled_s")
        rows.append(
            {
                "workers": ours["workers"],
                "whole_s": ours["whole_s"],
                "per_submission_s": ours["whole_s"] / ours["count"],
                "rendered_s": ours["rendered_s"],
                "first_report_s": ours["first_report_s"],
                "retried": sum(tries > 1 for tries in ours["tries"]),
                "submit_s": spread(ours["submit_s"]),
                "alone_s": spread(ours["alone_s"]),
                "to_report_s": spread(ours["to_report_s"]),
                "grading_s": spread(ours["grading_s"]),
                "otter_scaled_s": scaled,
                "otter_sample": otter.get("sample"),
                "otter_each_s": spread(otter["each_s"]) if "each_s" in otter else None,
                "otter_failed": otter.get("failed", ""),
                "share": None if scaled is None else ours["whole_s"] / scaled,
            }
        )
    return {"count": found["count"], "workers": rows}


def show(summary: Mapping[str, Any]) -> None:
    for row in summary["workers"]:
        count, workers = summary["count"], row["workers"]
        say(f"\n{count} notebooks handed in at once, {_processes(workers)}: seconds")
        say(f"  all graded after {row['whole_s']:.1f}, {row['per_submission_s']:.3f} each")
        say(f"  all rendered as well after {row['rendered_s']:.1f}; tried more than once: {row['retried']}")
        say(f"  first report after the worker's start, nothing warm: {row['first_report_s']:.2f}")
        names = {
            "submit_s": "to hand in",
            "alone_s": "handed in until reported, one at a time",
            "to_report_s": "handed in until reported, all at once",
            "grading_s": "claimed until reported",
        }
        rows = [(text, *spread_cells(row[name])) for name, text in names.items()]
        if row["otter_each_s"]:
            rows.append((f"otter run, {workers} at a time", *spread_cells(row["otter_each_s"])))
        say(table(("", *SPREAD_HEAD), rows))
        if row["otter_scaled_s"] is None:
            say(f"  otter run gave no figure: {row['otter_failed']}")
        else:
            sample = f"scaled from {row['otter_sample']}, {workers} at a time"
            say(f"  otter run would take {row['otter_scaled_s']:.1f} ({sample}): ours is {row['share']:.1%} of that")


def targets(summary: Mapping[str, Any] | None) -> list[Target]:
    count = summary["count"] if summary else COUNT
    found = []
    for row in summary["workers"] if summary else [{"workers": each, "share": None} for each in WORKERS]:
        name = f"{count} notebooks, {_processes(row['workers'])}: share of otter run's time"
        why = row.get("otter_failed", "") if row["share"] is None else f"otter run scaled from {row['otter_sample']}"
        found.append(Target(name, row["share"], "at most", SHARE, "", why))
    return found


def _processes(workers: int) -> str:
    return "1 worker process" if workers == 1 else f"{workers} worker processes"


if __name__ == "__main__":
    main()
