"""What grading adds to the time of a notebook's own cells: `make bench`.

Each pair runs the lab's solution once through the engine, as `manage.py grade` does, and once bare: the same cells in
the same interpreter with no jail, no tests and no rendering. The two alternate, so that a slow minute of the
machine meets both. Medians and quartiles, since a mean would follow one bad minute.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from graders.bundle import LabBundle
    from workers.publishing import Workshop

ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / "build" / "bench.json"


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--lab", default="performance-modeling/roofline", metavar="COURSE/LAB")
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings.dev")
    django.setup()

    from workers.management import authors
    from workers.publishing import compile_lab

    workshop = authors.workshop()
    bundle = compile_lab(workshop, *options.lab.split("/"))
    say(f"{options.lab}: {options.pairs} pairs, each graded and bare")
    pairs = []
    for number in range(1, options.pairs + 1):
        pair = {"graded": graded(workshop, bundle), "bare": bare(workshop, bundle)}
        pairs.append(pair)
        took = f"graded {pair['graded']['total_s']:.2f} s, bare {pair['bare']['total_s']:.2f} s"
        say(f"  pair {number}: {took}")
    summary = summarize(pairs)
    for name, spread in summary.items():
        say(f"{name:<28} median {spread['median']:7.2f} s   quartiles {spread['q1']:.2f} to {spread['q3']:.2f} s")
    RESULT.parent.mkdir(exist_ok=True)
    result = {"lab": options.lab, "machine": machine(), "summary": summary, "pairs": pairs}
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    say(f"Written to {RESULT.relative_to(ROOT)}.")


def graded(workshop: Workshop, bundle: LabBundle) -> dict[str, float]:
    """The solution through both jails, from its bytes to its report; seconds."""
    from graders.notebook import intake
    from workers import engine

    started = time.perf_counter()
    notebook = intake.normalize(
        bundle.solution.encode(), filename="solution.ipynb", max_bytes=bundle.limits.notebook_bytes
    ).notebook
    outcome = engine.grade(
        bundle,
        notebook,
        seed=1,
        sandbox=workshop.sandbox,
        lab_python=workshop.lab_python,
        cache_dir=workshop.cache_dir,
        on_progress=lambda progress: None,
    )
    total = time.perf_counter() - started
    report = outcome.report
    if report.score < report.max_score:
        sys.exit(f"The solution got {report.score:g} of {report.max_score:g} points: mend that before timing it.")
    return {"total_s": total, "cells_s": report.timing.cells_s, "tests_s": report.timing.tests_s}


def bare(workshop: Workshop, bundle: LabBundle) -> dict[str, float]:
    """The same cells in a plain process of the lab's interpreter; seconds, its start included in `total_s`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in bundle.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        (folder / "solution.ipynb").write_text(bundle.solution)
        started = time.perf_counter()
        done = subprocess.run(
            # -P: modules that stand beside bare.py must not pass for the standard library's, as queue.py would.
            [workshop.lab_python, "-P", Path(__file__).with_name("bare.py"), "solution.ipynb"],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": name, "MPLBACKEND": "agg", "IPYTHONDIR": name},
            capture_output=True,
            text=True,
            check=False,
        )
        total = time.perf_counter() - started
    if done.returncode:
        sys.exit(f"The solution's cells fail outside the jails:\n{done.stderr[-2000:]}")
    return {"total_s": total, **json.loads(done.stdout)}


def summarize(pairs: Sequence[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    measures: dict[str, Callable[[Any], float]] = {
        "graded, whole": lambda pair: pair["graded"]["total_s"],
        "graded, cells": lambda pair: pair["graded"]["cells_s"],
        "graded, tests": lambda pair: pair["graded"]["tests_s"],
        "bare, whole": lambda pair: pair["bare"]["total_s"],
        "bare, cells": lambda pair: pair["bare"]["cells_s"],
        "added to a bare process": lambda pair: pair["graded"]["total_s"] - pair["bare"]["total_s"],
        "added to the cells alone": lambda pair: pair["graded"]["total_s"] - pair["graded"]["cells_s"],
        "neither cells nor tests": lambda pair: (
            pair["graded"]["total_s"] - pair["graded"]["cells_s"] - pair["graded"]["tests_s"]
        ),
    }
    return {name: spread([measure(pair) for pair in pairs]) for name, measure in measures.items()}


def spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    q1, median, q3 = statistics.quantiles(ordered, n=4, method="inclusive") if len(ordered) > 1 else ordered * 3
    return {"least": ordered[0], "q1": q1, "median": median, "q3": q3, "most": ordered[-1]}


def machine() -> dict[str, Any]:
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "load": os.getloadavg()[0],
    }


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
