"""Jails forked one after the other, and beside each other, from one server."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from tests.grading import SETUP, lab, notebook, points, question, shown, squares
from tests.workers.pool.conftest import Probes
from tests.workers.sandbox.conftest import LIMITS, MIB, Start, control_groups, starting
from workers.engine import InfrastructureFault, Outcome, grade
from workers.pool import WarmPool, default_pool
from workers.pool.doctor import describe
from workers.sandbox import default_sandbox
from workers.sandbox.interface import Jail, JailLimits, JailSpec, Sandbox

pytestmark = pytest.mark.slow

TWO = lab(squares("q1", "f1"), squares("q2", "f2"), cell_s=5)
RIGHT = (SETUP, "def f1(x):\n    return x * x", 'grader.check("q1")', "def f2(x):\n    return x * x")


@pytest.fixture(scope="module")
def pool() -> Iterator[WarmPool]:
    pool = default_pool(settings.LAB_PYTHON)
    yield pool
    pool.close()


def graded(sandbox: Sandbox, *sources: str, bundle=TWO, seed: int = 7) -> Outcome:  # noqa: ANN001
    return grade(
        bundle,
        notebook(*sources),
        seed=seed,
        sandbox=sandbox,
        lab_python=settings.LAB_PYTHON,
        cache_dir=settings.CACHE_DIR,
        on_progress=lambda _progress: None,
    )


def words(outcome: Outcome) -> tuple[bytes, bytes]:
    """All of a report but its times, and the executed notebook."""
    nothing = replace(outcome.report.timing, queued_s=0, started_s=0, cells_s=0, tests_s=0, total_s=0)
    return replace(outcome.report, timing=nothing).to_json(), outcome.executed


def server_of(pool: WarmPool, which: int) -> int:
    """The pid of one of its fork servers, as the machine numbers it."""
    server = list(pool._servers.values())[which]
    return server._jail._pid


NOTEBOOKS = {
    "a right one": RIGHT,
    "a wrong one": (SETUP, "def f1(x):\n    return x", 'grader.check("q1")', "f2 = 3"),
    "one with an error": (SETUP, "def f1(x):\n    return x * x\n1 / 0", 'grader.check("q1")', "import no_such_module"),
    "one that leaves its process": (*RIGHT[:3], "import os\nos._exit(3)"),
    "one that kills its process": (*RIGHT[:3], "import os\nos.kill(os.getpid(), 9)"),
    "one that needs too long": (*RIGHT[:3], "while True:\n    pass"),
    "one that needs too much memory": (*RIGHT[:3], "b'x' * 10**12"),
    "one that looks around": (
        *RIGHT,
        "import sys, os\nprint(sys.argv, sys.path, os.getcwd(), sorted(os.environ.items()))",
        "print(sorted(os.listdir('/tmp')), sorted(os.listdir('.')), sorted(os.listdir('/dev')))",
        # that a fork server needed these two can be seen, and nothing follows from it
        "%lsmagic\nprint(sorted(set(sys.modules) - {'gc', 'ctypes', '_ctypes', 'ctypes._endian'}))",
        "import threading, signal\nprint(threading.active_count(), signal.getsignal(2), signal.getsignal(17))",
        "import warnings\nprint(warnings.filters, os.umask(0), os.getpgid(0) == os.getsid(0), os.getpriority(0, 0))",
        "print(open('/proc/self/status').read().split('CapInh')[1].split('Seccomp_filters')[0])",
    ),
}


@pytest.mark.parametrize("sources", NOTEBOOKS.values(), ids=NOTEBOOKS)
def test_warm_and_cold_give_the_same_report(pool: WarmPool, sources: tuple[str, ...]) -> None:
    assert words(graded(pool, *sources)) == words(graded(default_sandbox(settings.LAB_PYTHON), *sources))


def test_what_a_hostile_predecessor_did_is_gone(pool: WarmPool) -> None:
    before = words(graded(pool, *RIGHT))
    graded(
        pool,
        "import builtins, os, sys, json, socket, random\n"
        "builtins.sum = builtins.len = lambda *a: 0\n"
        "json.dumps = None\nsocket.socket = None\nos.environ['X'] = 'x'\nsys.path.clear()\nsys.modules.clear()\n"
        "[open(f'{folder}/left', 'w').write('x') for folder in ('/tmp', '/dev/shm', os.getcwd())]",
    )
    assert words(graded(pool, *RIGHT)) == before


def test_what_the_lab_declares_is_imported_before_the_first_cell(pool: WarmPool) -> None:
    bundle = replace(TWO, imports=("numpy", "decimal"))
    sources = ("import sys\nprint({'numpy', 'decimal', 'fractions'} & set(sys.modules) >= {'numpy', 'decimal'})",)
    assert "True" in shown(graded(pool, *sources, bundle=bundle), 1)
    assert "True" in shown(graded(default_sandbox(settings.LAB_PYTHON), *sources, bundle=bundle), 1)


def test_nobody_draws_the_random_numbers_of_another(pool: WarmPool) -> None:
    bundle = replace(TWO, imports=("numpy",))
    draw = "import random, numpy, uuid, tempfile\nprint(random.random(), numpy.random.random(), uuid.uuid4())"
    first, second = (shown(graded(pool, draw, bundle=bundle), 1) for _ in range(2))
    assert not set(first.split()) & set(second.split()) - {
        '[{"name":',
        '"stdout",',
        '"output_type":',
        '"stream",',
        '"text":',
    }


def test_parallel_work_runs_in_a_fork_of_what_imported_torch(pool: WarmPool) -> None:
    """It would hang if the server had run any before the fork."""
    bundle = replace(TWO, imports=("torch",))
    work = """
        import torch
        from torch.utils.data import DataLoader
        torch.set_num_threads(2)
        model = torch.nn.Linear(256, 256)
        for batch in DataLoader(torch.randn(64, 256), batch_size=16, num_workers=1):
            model(batch).square().mean().backward()
        print(torch.randn(600, 600).mm(torch.randn(600, 600)).shape)
        """
    assert "[600, 600]" in shown(graded(pool, textwrap.dedent(work), bundle=bundle), 1)


def test_two_jails_of_one_server_do_not_meet(start: Start) -> None:
    """Neither by processes, nor folders, abstract sockets, loopback, message queues or System V memory."""
    leave = """
        import ctypes
        for folder in ("/tmp", "/dev/shm", os.getcwd()):
            open(f"{folder}/mine", "w").close()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("\\0meeting"); listener.listen()
        ctypes.CDLL(None).shmget(4242, 4096, 0o1666)
        say("left"); sys.stdin.read(); time.sleep(60)
        """
    look = """
        import ctypes
        say([attempt(lambda: open(f"{folder}/mine")) for folder in ("/tmp", "/dev/shm", os.getcwd())])
        say(attempt(lambda: socket.socket(socket.AF_UNIX).connect("\\0meeting")))
        say(ctypes.CDLL(None).shmget(4242, 4096, 0o666))
        say(sorted(name for name in os.listdir("/proc") if name.isdigit()))
        say(os.ttyname(os.openpty()[1]))
        """
    first, second = start(textwrap.dedent(leave)), None
    assert first.hear() == "left"
    second = start(textwrap.dedent(look))
    assert second.hear() == [2, 2, 2]
    assert second.hear() == 111
    assert second.hear() == -1
    assert second.hear() == ["1", "2"]
    assert second.hear() == "/dev/pts/0"


def test_a_jail_has_a_loopback_of_its_own_as_a_cold_one_has(start: Start) -> None:
    flags = "say(open('/sys/class/net/lo/flags').read() if os.path.exists('/sys/class/net') else 'hidden')"
    up = "say(open('/proc/net/route').read().count('\\n')); say(open('/proc/net/if_inet6').read() != '')"
    jail = start(flags + "\n" + up)
    jail.hear()
    jail.hear()
    assert jail.hear() is True


def test_killing_the_first_process_from_inside_does_nothing(start: Start) -> None:
    jail = start(
        "[os.kill(1, number) for number in (2, 9, 15, 19)]\nsay('alive')\nsay(attempt(lambda: open('/proc/1/mem')))"
    )
    assert jail.hear() == "alive"
    assert jail.hear() == 13


def test_a_jail_whose_server_died_is_lost_and_the_next_one_starts(sandbox: Probes) -> None:
    with starting(sandbox) as start:  # type: ignore[arg-type]
        jail = start("say('here'); time.sleep(60)")
        assert jail.hear() == "here"
        os.kill(server_of(sandbox.pool, -1), signal.SIGKILL)
        assert jail.end().kind == "lost"
        assert start("say('again')").hear() == "again"


def test_losing_the_students_server_is_no_fault_of_the_students(pool: WarmPool) -> None:
    graded(pool, *RIGHT)
    kill = lambda progress: progress.phase == "tests" and os.kill(server_of(pool, -1), signal.SIGKILL)  # noqa: E731
    with pytest.raises(InfrastructureFault):
        grade(
            TWO,
            notebook(*RIGHT),
            seed=1,
            sandbox=pool,
            lab_python=settings.LAB_PYTHON,
            cache_dir=settings.CACHE_DIR,
            on_progress=kill,
        )
    assert points(graded(pool, *RIGHT)) == {"q1": 2.0, "q2": 2.0}


class LateNews:
    """Jails of which nobody hears that they ended before they are killed."""

    name = "late"

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def start(self, spec: JailSpec) -> Jail:
        jail = self._sandbox.start(spec)
        if spec.name == "student":
            jail.ended = lambda: None  # type: ignore[method-assign]
        return jail


def test_a_loss_that_shows_only_when_the_jail_is_killed_is_no_fault_of_the_students(pool: WarmPool) -> None:
    graded(pool, *RIGHT)
    kill = lambda progress: progress.phase == "tests" and os.kill(server_of(pool, -1), signal.SIGKILL)  # noqa: E731
    with pytest.raises(InfrastructureFault, match="lost"):
        grade(
            TWO,
            notebook(*RIGHT),
            seed=1,
            sandbox=LateNews(pool),
            lab_python=settings.LAB_PYTHON,
            cache_dir=settings.CACHE_DIR,
            on_progress=kill,
        )


def test_imports_that_leave_threads_start_cold(caplog: pytest.LogCaptureFixture) -> None:
    """A fork would lack them, and hang on what they hold."""
    library = {
        "threaded.py": "import threading, time\nthreading.Thread(target=time.sleep, args=(600,), daemon=True).start()"
    }
    bundle = replace(lab(squares("q1", "f1"), library=library), imports=("threaded",))
    pool = default_pool(settings.LAB_PYTHON)
    try:
        assert points(graded(pool, RIGHT[1], bundle=bundle)) == {"q1": 2.0}
    finally:
        pool.close()
    assert "1 threads of it run" in caplog.text


def test_the_writable_folders_hold_what_the_imports_left_there(pool: WarmPool) -> None:
    library = {"leaving.py": "open('/tmp/settings', 'w').write('made at import')"}
    bundle = replace(lab(squares("q1", "f1"), library=library), imports=("leaving",))
    assert "made at import" in shown(graded(pool, "print(open('/tmp/settings').read())", bundle=bundle), 1)


def test_closing_a_pool_leaves_nothing() -> None:
    pool = default_pool(settings.LAB_PYTHON)
    opened = set(Path("/proc/self/fd").iterdir())
    groups = control_groups(pool._cold, os.getpid())  # type: ignore[arg-type]
    graded(pool, *RIGHT)
    pool.close()
    assert set(Path("/proc/self/fd").iterdir()) == opened
    assert control_groups(pool._cold, os.getpid()) == groups  # type: ignore[arg-type]


def test_servers_end_with_the_worker_even_if_it_is_killed(tmp_path: Path) -> None:
    program = f"""
        import os, signal, sys
        os.environ["DJANGO_SETTINGS_MODULE"] = "server.settings.test"
        import django; django.setup()
        from tests.workers.pool.test_pool import *
        pool = default_pool(settings.LAB_PYTHON)
        graded(pool, *RIGHT)
        open({str(tmp_path / "pids")!r}, "w").write(" ".join(str(server_of(pool, n)) for n in range(2)))
        os.kill(os.getpid(), signal.SIGKILL)
        """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    for pid in (tmp_path / "pids").read_text().split():
        handle = os.pidfd_open(int(pid)) if Path(f"/proc/{pid}").exists() else None
        if handle is not None:
            assert select.select([handle], [], [], 20)[0], "it lives on"
            os.close(handle)


def test_the_limits_are_those_of_the_jail_and_not_of_its_server(start: Start) -> None:
    limits = JailLimits(memory_bytes=64 * MIB, pids=8, tmp_bytes=MIB, cpu_s=20)
    sizes = "room = os.statvfs('/tmp')\nsay(room.f_blocks * room.f_frsize)\n"
    jail = start(sizes + "hog = []\nwhile True: hog.append(b'x' * 10**6)", limits)
    assert jail.hear() == MIB
    assert jail.end().kind in ("memory", "exit")


def test_files_of_the_work_folder_are_the_jails_own(start: Start) -> None:
    code = "open('data/numbers', 'a').write('more'); say(open('data/numbers').read())"
    for _ in range(2):
        assert start(code, LIMITS, files={"data/numbers": b"some"}).hear() == "somemore"


def test_a_seed_reaches_the_examiner_and_nobody_else(pool: WarmPool) -> None:
    asks = question(
        "q1",
        """
        @test_case(points=1)
        def test(seen):
            import os
            assert os.environ["RIDGEPOINT_SEED"] == "424242"
            assert seen is None
        """,
    )
    outcome = graded(pool, "import os\nseen = os.environ.get('RIDGEPOINT_SEED')", bundle=lab(asks), seed=424242)
    assert points(outcome) == {"q1": 1.0}


def test_the_doctor_says_whether_jails_start_warm() -> None:
    finding = describe(settings.LAB_PYTHON)
    assert finding.holds
    assert "are forked" in finding.sentence


def test_the_doctor_says_why_jails_start_cold(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    (tmp_path / "lib").mkdir()
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    finding = describe(python)
    assert not finding.holds
    assert finding.sentence.startswith("Jails start cold")
