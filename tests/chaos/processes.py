"""The installation's processes as the kernel shows them: everything that descends from the campaign."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path
from typing import Final

from tests.ops.programs import family, lives

_PR_SET_CHILD_SUBREAPER: Final = 36
JAILS: Final = {
    "student": "graders.respondent",
    "examiner": "graders.examiner",
    "page": "graders.notebook.render",
}
"""What the command lines of their walls and programs hold; a forked jail's is that of its fork server."""
FORK_SERVER: Final = "forkserver"


def adopt_orphans() -> None:
    """What loses its parent becomes our child instead of init's, so that it can be found."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def command(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").split("\0")[:-1]
    except (FileNotFoundError, ProcessLookupError):
        return []


def descendants(pid: int | None = None) -> list[int]:
    of = os.getpid() if pid is None else pid
    return sorted(each for each in family(of) - {of} if lives(each))


def jails(which: str, *, under: int) -> list[int]:
    """The processes of such jails, walls included."""
    return [
        pid
        for pid in descendants(under)
        if any(word.startswith(JAILS[which]) for word in command(pid)) and not _is_fork_server(pid)
    ]


def fork_servers() -> list[int]:
    return [pid for pid in descendants() if _is_fork_server(pid)]


def _is_fork_server(pid: int) -> bool:
    """What it forks has its command line, and one pid namespace more."""
    return FORK_SERVER in command(pid) and _depth(pid) <= _depth(os.getpid()) + 1


def _depth(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next(len(line.split()) - 1 for line in status.splitlines() if line.startswith("NSpid:"))


def send(pid: int, number: signal.Signals, *, group: bool = False) -> bool:
    with contextlib.suppress(ProcessLookupError):
        if group:
            os.killpg(pid, number)
        else:
            os.kill(pid, number)
        return True
    return False
