"""`python -m graders.examiner [IMPORT ...]`: grade the one notebook that the worker hands over on file descriptor 3."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable

from graders.examiner import machine, questions
from graders.examiner.control import EXAMINER_EXTRA_BYTES, Control
from graders.examiner.driver import Driver
from graders.examiner.watchdog import bound_memory
from graders.prepared import PLACE, PREPARED, lay_out

SEED_VARIABLE = "RIDGEPOINT_SEED"


def prepare() -> Callable[[], None]:
    """All that can be done before there is a notebook; what it returns does the rest, here or in a fork."""
    lay_out(PREPARED, PLACE)
    questions.test_file_class()
    machine.versions()
    return _examine


def _examine() -> None:
    control = Control.inherited(3)
    code = 0
    try:
        job = control.job()
        os.environ[SEED_VARIABLE] = str(job.seed)  # where labkit's checks look for it
        bound_memory(job.limits.memory_bytes + EXAMINER_EXTRA_BYTES)
        report, notebook = Driver(job, control).run()
        control.done(report, notebook)
    except Exception:  # noqa: BLE001  ours, whatever it is: the worker tells the operators
        traceback.print_exc()
        control.fault(traceback.format_exc(limit=-3))
        code = 1
    sys.stderr.flush()
    # A test may have left threads behind; nobody waits for them.
    os._exit(code)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        importlib.import_module(name)
    prepare()()
