"""`python -m tests.workers.sandbox.compare [ROUNDS]`: what a jail on gVisor costs against one of bubblewrap alone.

The two take turns, so that a noisy machine disturbs both alike; each line says the median and the range.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings.test")
django.setup()

from django.conf import settings  # noqa: E402

from tests.grading import lab, notebook, points, squares  # noqa: E402
from workers.engine import grade  # noqa: E402
from workers.sandbox.bubblewrap import BubblewrapSandbox  # noqa: E402
from workers.sandbox.interface import JailLimits, JailSpec, Sandbox  # noqa: E402
from workers.sandbox.runsc import RunscSandbox  # noqa: E402

LIMITS = JailLimits(memory_bytes=3 * 1024**3, pids=256, tmp_bytes=64 * 1024**2, cpu_s=120)
LAB = lab(squares("q1", "f1"), squares("q2", "f2"))
NOTEBOOK = notebook("def f1(x): return x * x", "def f2(x): return x ** 2")
CALLS = "import os, sys\nfor _ in range(20_000): os.stat('/')\n"


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    python = str(settings.LAB_PYTHON)
    sandboxes: list[Sandbox] = [BubblewrapSandbox(settings.LAB_PYTHON), RunscSandbox(settings.LAB_PYTHON)]
    jobs: dict[str, Callable[[Sandbox], None]] = {
        "true": lambda sandbox: _run(sandbox, "/bin/true"),
        "python -c pass": lambda sandbox: _run(sandbox, python, "-I", "-c", "pass"),
        "import numpy": lambda sandbox: _run(sandbox, python, "-I", "-c", "import numpy"),
        "import torch": lambda sandbox: _run(sandbox, python, "-I", "-c", "import torch"),
        "20,000 system calls": lambda sandbox: _run(sandbox, python, "-I", "-c", CALLS),
        "a trivial lab": _grade,
    }
    sys.stdout.write(f"{'seconds, median (range)':<24}" + "".join(f"{each.name:>26}" for each in sandboxes) + "\n")
    for name, job in jobs.items():
        taken: dict[str, list[float]] = {sandbox.name: [] for sandbox in sandboxes}
        for _ in range(rounds):
            for sandbox in sandboxes:
                began = time.perf_counter()
                job(sandbox)
                taken[sandbox.name].append(time.perf_counter() - began)
        cells = (f"{statistics.median(each):.3f} ({min(each):.3f}-{max(each):.3f})" for each in taken.values())
        sys.stdout.write(f"{name:<24}" + "".join(f"{cell:>26}" for cell in cells) + "\n")
        sys.stdout.flush()


def _run(sandbox: Sandbox, *argv: str) -> None:
    jail = sandbox.start(JailSpec("compare", argv, LIMITS))
    while (ending := jail.ended()) is None:
        time.sleep(0.002)
    if (ending.kind, ending.code) != ("exit", 0):
        raise SystemExit(f"{argv} ended by {ending}: {jail.stderr_tail()}")


def _grade(sandbox: Sandbox) -> None:
    with tempfile.TemporaryDirectory() as folder:
        outcome = grade(
            LAB,
            NOTEBOOK,
            seed=1,
            sandbox=sandbox,
            lab_python=settings.LAB_PYTHON,
            cache_dir=Path(folder),
            on_progress=lambda _progress: None,
        )
    if points(outcome) != {"q1": 2.0, "q2": 2.0}:
        raise SystemExit(f"The lab was graded wrongly: {points(outcome)}.")


if __name__ == "__main__":
    main()
