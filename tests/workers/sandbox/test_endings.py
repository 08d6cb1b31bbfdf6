from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.conf import settings

from tests.workers.sandbox.conftest import LIMITS, Start, children, control_groups, on_each_sandbox, starting
from workers.sandbox import cgroups
from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.interface import JailSpec, Mount, SandboxUnavailable

ROOT = Path(__file__).parents[3]


def descriptors() -> set[str]:
    return {entry.name for entry in Path("/proc/self/fd").iterdir() if entry.exists()}


def held(sandbox: BubblewrapSandbox) -> tuple[set[str], set[int], set[Path]]:
    """What this process holds of the machine; fork servers of other tests may be part of it."""
    return descriptors(), set(children()), set(control_groups(sandbox, os.getpid()))


@on_each_sandbox
def test_an_exit_status_is_told(start: Start) -> None:
    ending = start("os._exit(7)").end()
    assert (ending.kind, ending.code) == ("exit", 7)


@on_each_sandbox
def test_a_deadly_signal_is_told(start: Start) -> None:
    ending = start("os.kill(os.getpid(), 6)").end()
    assert (ending.kind, ending.code) == ("signal", signal.SIGABRT)


@on_each_sandbox
def test_it_has_no_ending_while_it_runs(start: Start) -> None:
    assert start("time.sleep(600)").jail.ended() is None


@on_each_sandbox
def test_a_kill_is_told_as_ours(start: Start) -> None:
    assert start("time.sleep(600)").jail.kill().kind == "killed"


@on_each_sandbox
def test_a_second_kill_says_the_same(start: Start) -> None:
    jail = start("time.sleep(600)").jail
    assert jail.kill() == jail.kill() == jail.ended()


@on_each_sandbox
def test_a_kill_after_the_end_says_how_it_ended(start: Start) -> None:
    running = start("os._exit(7)")
    running.end()
    assert running.jail.kill().code == 7


@on_each_sandbox
def test_a_program_that_ignores_signals_is_ended(start: Start) -> None:
    jail = start("import signal\nfor s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\nsay(1); time.sleep(600)")
    jail.hear()
    assert jail.jail.kill().kind == "killed"


@on_each_sandbox
def test_a_daemon_that_holds_stderr_and_the_socket_does_not_outlive_its_jail(start: Start) -> None:
    code = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        say("daemon")
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""
    running = start(code)
    running.hear()
    running.jail.kill()
    assert running.line.recv(1) == b""  # nobody holds the other end any more


@on_each_sandbox
def test_a_daemon_does_not_outlive_the_program_that_started_it(start: Start) -> None:
    running = start("if os.fork() == 0: say('daemon'); time.sleep(600)\nelse: time.sleep(0.1); os._exit(0)")
    running.hear()
    assert running.end().kind == "exit"
    assert running.line.recv(1) == b""


@on_each_sandbox
def test_the_tail_of_stderr_is_kept(start: Start) -> None:
    running = start("sys.stderr.write('x' * 10000 + 'the end'); sys.stderr.flush()")
    running.end()
    tail = running.jail.stderr_tail()
    assert (len(tail), tail[-7:]) == (4000, "the end")


@on_each_sandbox
def test_a_flood_of_stderr_blocks_nobody_and_stays_bounded(start: Start) -> None:
    code = """
import errno
try:
    while True:
        os.write(2, b"flood" * 10000)
except OSError as error:
    say(errno.errorcode[error.errno])
"""
    assert start(code).hear() == "EPERM"


@on_each_sandbox
def test_it_leaves_nothing_behind(sandbox: BubblewrapSandbox) -> None:
    with starting(sandbox) as start:  # once, so that lasting caches don't count
        start("pass").end()
    before = held(sandbox)
    with starting(sandbox) as start:
        start("os._exit(1)").end()
        start("if os.fork(): time.sleep(600)\ntime.sleep(600)").jail.kill()
    assert held(sandbox) == before


@on_each_sandbox
def test_a_jail_that_can_not_be_built_says_why_and_leaves_nothing(sandbox: BubblewrapSandbox) -> None:
    before = held(sandbox)
    spec = JailSpec("x", ("/bin/true",), LIMITS, mounts=(Mount(Path("/no/such/folder"), "/opt/x"),))
    with pytest.raises(SandboxUnavailable, match="/no/such/folder"):
        sandbox.start(spec)
    assert held(sandbox) == before


@on_each_sandbox
def test_a_file_outside_the_work_folder_is_refused(sandbox: BubblewrapSandbox) -> None:
    before = descriptors()
    with pytest.raises(ValueError, match="work folder"):
        sandbox.start(JailSpec("x", ("/bin/true",), LIMITS, files={"../x": b""}))
    assert descriptors() == before


@on_each_sandbox
def test_many_jails_start_at_once_from_threads(sandbox: BubblewrapSandbox) -> None:
    codes: list[int] = []

    def work(number: int) -> None:
        with starting(sandbox) as start:
            codes.append(start(f"os._exit({number})").end().code)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [0, 1, 2, 3, 4, 5]


WORKER = """
import os, sys, time
from pathlib import Path
from workers.sandbox import default_sandbox
from workers.sandbox.interface import JailLimits, JailSpec
python = sys.argv[1]
limits = JailLimits(256 << 20, 24, 8 << 20, 20)
code = "import os, time; os.fork(); os.fork(); os.write(3, b'x'); time.sleep(600)"
jail = default_sandbox(Path(python)).start(
    JailSpec("orphan", (python, "-I", "-S", "-c", code), limits, descriptors=(int(sys.argv[2]),))
)
time.sleep(600)
"""


@on_each_sandbox
@pytest.mark.slow
def test_it_dies_with_a_worker_that_is_killed(sandbox: BubblewrapSandbox) -> None:
    """Every process of the jail holds the pipe: its end of file means that none is left."""
    reader, writer = os.pipe()
    argv = [sys.executable, "-c", WORKER, str(settings.LAB_PYTHON), str(writer)]
    env = os.environ | {"RIDGEPOINT_SANDBOX": "runsc" if sandbox.name == "runsc" else "bubblewrap"}
    with subprocess.Popen(argv, cwd=ROOT, pass_fds=(writer,), env=env) as worker:
        os.close(writer)
        try:
            for _ in range(4):
                assert os.read(reader, 1) == b"x"
        finally:
            worker.kill()
    gone, _, _ = select.select([reader], [], [], 30)
    assert gone
    assert os.read(reader, 1) == b""
    os.close(reader)
    # The kernel closes a process's files a moment before it takes the process out of its group.
    deadline = time.monotonic() + 30
    while left := control_groups(sandbox, worker.pid):
        assert time.monotonic() < deadline, left
        cgroups.find()  # as the next worker does when it starts
        time.sleep(0.01)
