"""`python -m graders.examiner`: grade the one notebook that the worker hands over on file descriptor 3."""

from __future__ import annotations

import os
import sys
import traceback

from graders.examiner.control import EXAMINER_EXTRA_BYTES, Control
from graders.examiner.driver import Driver
from graders.examiner.watchdog import bound_memory

if __name__ == "__main__":
    control = Control.inherited(3)
    code = 0
    try:
        job = control.job()
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
