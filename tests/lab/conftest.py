"""A real respondent at the other end of a socket, without its jail."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.examiner.session import Session
from graders.wire import Channel

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session that has said hello; each request may take ten seconds from the start of the test."""
    ours, theirs = socket.socketpair()
    place = theirs.fileno()
    command = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", command, str(place), "-P", "-m", "graders.respondent"],
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(tmp_path),
                "TMPDIR": str(tmp_path),
                "IPYTHONDIR": str(tmp_path / ".ipython"),
                "PYTHONPATH": str(ROOT),
                "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            },
            pass_fds=(place,),
            stdin=subprocess.DEVNULL,
        )
    session = Session(Channel(ours))
    session.request("hello")
    session.until = time.monotonic() + 10
    yield session
    session.close()
    process.kill()
    process.wait()
