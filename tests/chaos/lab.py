"""A lab that is graded in a second, notebooks whose reports are known by kind, and the people of the class."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from graders.bundle import LabLimits
from graders.report import Report
from server.domain.accounts.models import User
from server.domain.catalog.models import Class, Role
from server.domain.core import blobs, clock
from tests import factories
from tests.factories import RIGHT, notebook

# Long enough for a saboteur to find the process at work.
WORK: Final = "import time\ntime.sleep(0.4)\n"
MARK: Final = "# This is notebook "
KINDS: Final = {
    "right": {**RIGHT, "q1": WORK + RIGHT["q1"]},
    "half right": {**RIGHT, "q1": WORK + "def double(x):\n    return 6"},
    "wrong": {"q1": WORK + "def double(x):\n    return x", "q2": "answer = 'unknown'"},
    "crashing": {**RIGHT, "q1": WORK + "import os\nos._exit(3)"},
    "never ending": {**RIGHT, "q1": "import time\nwhile True: time.sleep(600)"},
}
SCORES: Final = {"right": 3.0, "half right": 2.0, "wrong": 0.0, "crashing": 1.0, "never ending": 1.0}


@dataclass(frozen=True)
class School:
    klass: Class
    ines: User
    students: list[User]


def open_school(students: int) -> School:
    now = clock.now()
    limits = LabLimits(cell_s=4.0, run_s=60.0, test_s=20.0)
    klass = factories.klass(factories.publish(now=now, limits=limits), now=now)
    ines = factories.user("Ines", now=now)
    factories.catalog.enroll(actor=None, klass=klass, user=ines, role=Role.INSTRUCTOR, now=now)
    found = [factories.student_of(klass, f"Student{number}", now=now - timedelta(days=1)) for number in range(students)]
    return School(klass, ines, found)


def content(kind: str, *, mark: str) -> bytes:
    """No two files are alike, so that each has to be stored."""
    answers = KINDS[kind]
    return notebook({**answers, "q1": f"{answers['q1']}\n{MARK}{mark}"})


def comparable(report: str, executed_sha: str) -> dict[str, Any]:
    """What must not depend on when, where and how often a notebook was graded."""
    found = Report.from_json(report.encode()).to_dict()
    for changing in ("timing", "device"):
        del found[changing]
    cells = json.loads(blobs.get(executed_sha))["cells"]
    # How far a cell's last words came before the clock cut them off is a matter of time, too.
    outputs = [cell.get("outputs") if "TimeLimit" not in json.dumps(cell) else "cut off" for cell in cells]
    executed = json.dumps([(cell["source"], shown) for cell, shown in zip(cells, outputs, strict=True)])
    found["executed"] = json.loads(re.sub(f"{MARK}\\d+", MARK, executed))  # a traceback quotes the lines around
    return found
