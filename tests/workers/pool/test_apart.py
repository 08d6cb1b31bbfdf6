"""What imports leave behind in a fork server is no way from one submission to the next, nor a trap for it."""

from __future__ import annotations

import logging
import textwrap
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.conf import settings

from graders.bundle import LabBundle
from tests.grading import lab, points, shown, squares
from tests.workers.pool.test_pool import RIGHT, graded
from workers.engine import Outcome
from workers.pool import WarmPool, default_pool
from workers.sandbox import default_sandbox

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pool() -> Iterator[WarmPool]:
    pool = default_pool(settings.LAB_PYTHON)
    yield pool
    pool.close()


def importing(source: str) -> LabBundle:
    """A lab whose students find `leaving` imported."""
    library = {"leaving.py": textwrap.dedent(source)}
    return replace(lab(squares("q1", "f1"), library=library, cell_s=30.0, run_s=60.0), imports=("leaving",))


def twice(pool: WarmPool, bundle: LabBundle, *sources: str) -> list[Outcome]:
    return [graded(pool, RIGHT[1], *map(textwrap.dedent, sources), bundle=bundle) for _ in range(2)]


@pytest.mark.parametrize(
    "shared",
    ["import mmap\nbox = mmap.mmap(-1, 8)", "import multiprocessing\nbox = multiprocessing.RawArray('c', 8)"],
    ids=["mmap", "multiprocessing"],
)
def test_memory_that_forks_would_share_is_each_notebooks_own(pool: WarmPool, shared: str) -> None:
    leave = "import leaving\nprint('found', bytes(leaving.box[:6]))\nleaving.box[:6] = b'earlier'[:6]"
    for outcome in twice(pool, importing(shared), leave):
        assert "earlie" not in shown(outcome, 2)
        assert "found" in shown(outcome, 2)


@pytest.mark.parametrize(
    ("left", "look", "found", "reason"),
    [
        ("file = open(__file__)", "leaving.file.read(4)", "file", "left files open"),
        (
            "import subprocess\nit = subprocess.Popen(['sleep', '600'])",
            "leaving.it.poll()",
            "None",
            "started processes",
        ),
    ],
    ids=["an open file", "a process"],
)
def test_what_a_fork_would_lack_starts_cold(
    pool: WarmPool, caplog: pytest.LogCaptureFixture, left: str, look: str, found: str, reason: str
) -> None:
    for outcome in twice(pool, importing(left), f"import leaving\nprint({look})"):
        assert found in shown(outcome, 2)
    assert reason in caplog.text


@pytest.mark.parametrize(
    ("warm_up", "draw"),
    [
        ("import torch", "import torch\nprint(torch.rand(1).item())"),
        ("import ssl\nssl.RAND_bytes(1)", "import ssl\nprint(ssl.RAND_bytes(16).hex())"),
        ("import tempfile\ntempfile.mkdtemp()", "import tempfile\nprint(tempfile.mkdtemp())"),
    ],
    ids=["torch", "ssl", "tempfile"],
)
def test_random_numbers_are_drawn_anew(pool: WarmPool, warm_up: str, draw: str) -> None:
    first, second = twice(pool, importing(warm_up), draw)
    assert shown(first, 2) != shown(second, 2)
    assert "error" not in shown(first, 2)


def test_no_handler_that_imports_left_lets_a_notebook_end_what_holds_it(pool: WarmPool) -> None:
    """A run whose jail was lost would be repeated, as often as its author likes."""
    bundle = importing("import signal\nfor number in (2, 10, 15):\n    signal.signal(number, lambda *_: 1 / 0)")
    outcome = graded(pool, RIGHT[1], "import os\nfor number in (2, 10, 15):\n    os.kill(1, number)", bundle=bundle)
    assert points(outcome) == {"q1": 2.0}


def test_a_notebook_can_not_take_from_what_holds_it_the_time_to_tell_how_it_ended(pool: WarmPool) -> None:
    attack = """
        import os, resource, time
        try:
            resource.prlimit(1, resource.RLIMIT_CPU, (0, 0))
        except PermissionError:
            print("refused")
        end = time.monotonic() + 3
        while time.monotonic() < end:  # each orphan costs process 1 some time
            pid = os.fork()
            if pid == 0:
                os.fork()
                os._exit(0)
            os.waitpid(pid, 0)
        """
    outcome = graded(pool, RIGHT[1], textwrap.dedent(attack), bundle=lab(squares("q1", "f1")))
    assert "refused" in shown(outcome, 2)
    assert points(outcome) == {"q1": 2.0}


@pytest.mark.parametrize(
    "left",
    ["import os\nos.mkfifo('/tmp/odd')", "import socket\nit = socket.socket(1)\nit.bind('/tmp/odd')\nit.close()"],
    ids=["fifo", "socket"],
)
def test_odd_files_that_imports_left_hold_nobody_up(pool: WarmPool, left: str) -> None:
    assert points(graded(pool, RIGHT[1], bundle=importing(left))) == {"q1": 2.0}


def test_a_program_that_imports_left_can_be_run(pool: WarmPool) -> None:
    left = "import os\nopen('/tmp/tool', 'w').write('#!/bin/sh\\necho it runs')\nos.chmod('/tmp/tool', 0o755)"
    assert "it runs" in shown(graded(pool, RIGHT[1], "!/tmp/tool", bundle=importing(left)), 2)


def test_a_jail_whose_walls_can_not_be_put_up_starts_cold(pool: WarmPool, caplog: pytest.LogCaptureFixture) -> None:
    bundle = importing("import os\nopen('/tmp/closed', 'w').close()\nos.chmod('/tmp/closed', 0)")
    with caplog.at_level(logging.WARNING):
        assert points(graded(pool, RIGHT[1], bundle=bundle)) == {"q1": 2.0}
    assert "The walls could not be put up: PermissionError" in caplog.text


def test_a_forked_jail_may_have_as_many_processes_as_a_cold_one(pool: WarmPool) -> None:
    count = """
        import os, time
        number = 0
        try:
            while number < 200:
                if os.fork() == 0:
                    time.sleep(600)
                number += 1
        except BlockingIOError:
            print("room for", number)
        """
    bundle = lab(squares("q1", "f1"), pids=24)
    warm, cold = (
        shown(graded(each, textwrap.dedent(count), bundle=bundle), 1)
        for each in (pool, default_sandbox(settings.LAB_PYTHON))
    )
    assert warm == cold
    assert "room for" in warm
