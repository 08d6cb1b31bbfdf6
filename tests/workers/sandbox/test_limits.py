from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from tests.workers.sandbox.conftest import LIMITS, MIB, Start, on_each_sandbox
from workers.sandbox import rlimits
from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.interface import JailLimits, JailSpec

ROOT = Path(__file__).parents[3]
NO_LIMIT = "no memory control group on this machine, and without one gVisor limits no memory, as its report says"
FILL = """
blocks = []
try:
    for _ in range(64):
        blocks.append(bytearray(os.urandom(1)) * (16 << 20))
except MemoryError:
    say("MemoryError")
    sys.exit(3)
"""


@on_each_sandbox
@pytest.mark.slow
def test_a_program_that_takes_too_much_memory_is_ended_for_it(start: Start, sandbox: BubblewrapSandbox) -> None:
    if sandbox.name == "runsc" and "memory" not in sandbox.places:
        pytest.skip(NO_LIMIT)
    jail = start(FILL)
    ending = jail.end()
    if "memory" in sandbox.places:
        assert ending.kind == "memory"
    else:  # as the interface says: allocations fail instead
        assert (jail.hear(), ending.kind, ending.code) == ("MemoryError", "exit", 3)


@on_each_sandbox
@pytest.mark.slow
def test_an_end_by_memory_is_told_from_our_own_kill(start: Start, sandbox: BubblewrapSandbox) -> None:
    """The engine sees the socket close and kills at once, maybe before bubblewrap has seen the program's end."""
    if sandbox.name == "runsc" and "memory" not in sandbox.places:
        pytest.skip(NO_LIMIT)
    jail = start(FILL)
    while jail.line.recv(4096):
        pass
    assert jail.jail.kill().kind == ("memory" if "memory" in sandbox.places else "exit")


WORKER_IN_A_CONTAINER = """
import os, sys, time
from pathlib import Path
from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.interface import JailLimits, JailSpec
group, python = Path(sys.argv[1]), sys.argv[2]
sandbox = BubblewrapSandbox(Path(python))
sandbox.places.pop("memory")  # as in a container, where control groups can't be made
(group / "cgroup.procs").write_text(str(os.getpid()))
code = "blocks = []\\nwhile True: blocks.append(bytearray(b'x') * (16 << 20))"
jail = sandbox.start(JailSpec("x", (python, "-I", "-S", "-c", code), JailLimits(8 << 30, 24, 8 << 20, 60)))
while not (ending := jail.ended()):
    time.sleep(0.01)
print(ending.kind)
"""


@pytest.mark.slow
def test_in_a_container_that_runs_out_of_memory_the_jail_is_ended_and_not_the_worker(
    sandbox: BubblewrapSandbox,
) -> None:
    place = sandbox.places.get("memory")
    if place is None:
        pytest.skip("no memory control group on this machine: none can stand for the container's")
    container = place.path / f"ridgepoint-container-{os.getpid()}"
    container.mkdir()
    try:
        limits = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes") if place.version == 1 else ("memory.max",)
        for name in limits:
            if (container / name).exists():
                (container / name).write_text(str(256 * MIB))
        command = [sys.executable, "-c", WORKER_IN_A_CONTAINER, str(container), str(settings.LAB_PYTHON)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    finally:
        container.rmdir()
    assert (done.stdout, done.returncode) == ("memory\n", 0)


@on_each_sandbox
def test_the_peak_of_memory_is_known_where_a_control_group_counts_it(start: Start, sandbox: BubblewrapSandbox) -> None:
    ending = start("x = bytearray(32 << 20)").end()
    if "memory" in sandbox.places:
        assert ending.peak_memory_bytes is not None
        assert 32 * MIB < ending.peak_memory_bytes <= LIMITS.memory_bytes
    else:
        assert ending.peak_memory_bytes is None


@on_each_sandbox
@pytest.mark.slow
def test_files_in_memory_count_as_memory(start: Start, sandbox: BubblewrapSandbox) -> None:
    if "memory" not in sandbox.places:
        pytest.skip(
            "no memory control group on this machine: files in memory are bounded by their number and size only"
        )
    limits = replace(LIMITS, memory_bytes=64 * MIB, tmp_bytes=512 * MIB)
    ending = start("open('/tmp/x', 'wb').write(bytes(32 << 20)); open('/tmp/y', 'wb').write(bytes(200 << 20))", limits)
    assert ending.end().kind == "memory"


@on_each_sandbox
@pytest.mark.slow
def test_a_fork_bomb_meets_its_limit(start: Start) -> None:
    code = """
count = 0
while True:
    try:
        if os.fork() == 0:
            time.sleep(600)
    except OSError as error:
        say([count, error.errno])
        break
    count += 1
os._exit(0)
"""
    jail = start(code)
    count, error = jail.hear()
    assert error == errno.EAGAIN
    # Where an rlimit counts, the processes of whoever holds the jail count too.
    assert LIMITS.pids - 4 <= count <= LIMITS.pids
    assert jail.end().kind == "exit"


@on_each_sandbox
def test_threads_count_as_processes(start: Start) -> None:
    code = """
import threading
try:
    for count in range(200):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
except RuntimeError:
    say(count)
os._exit(0)
"""
    assert start(code).hear() < LIMITS.pids


@on_each_sandbox
@pytest.mark.parametrize("folder", ["/tmp", "/home/student", "/dev/shm"])
def test_a_private_folder_has_its_size(start: Start, folder: str) -> None:
    code = f"""
written = 0
def fill():
    global written
    for name in range(100):
        with open(f"{folder}/{{name}}", "wb", buffering=0) as file:
            written += file.write(bytes(1 << 20))
say([attempt(fill), written])
"""
    error, written = start(code).hear()
    assert error == errno.ENOSPC
    assert written <= LIMITS.tmp_bytes


@on_each_sandbox
@pytest.mark.slow
def test_a_busy_program_is_ended_after_its_processor_time(start: Start) -> None:
    ending = start("while True: pass", replace(LIMITS, cpu_s=1)).end()
    assert (ending.kind, ending.code) == ("signal", signal.SIGXCPU)


@on_each_sandbox
def test_the_limits_of_a_process_are_set(start: Start) -> None:
    code = """
import resource as r
say([r.getrlimit(limit) for limit in (r.RLIMIT_CPU, r.RLIMIT_FSIZE, r.RLIMIT_NOFILE, r.RLIMIT_CORE, r.RLIMIT_NPROC)])
"""
    cpu, size = LIMITS.cpu_s, LIMITS.tmp_bytes
    files = rlimits.OPEN_FILES
    *others, (pids, most_pids) = start(code).hear()
    assert others == [[cpu, cpu + 1], [size, size], [files, files], [1, 1]]
    # What holds the jail has the same user and counts: one process, with a fork server three.
    assert LIMITS.pids + 1 <= pids == most_pids <= LIMITS.pids + 3


@on_each_sandbox
def test_a_limit_can_not_be_raised_from_inside(start: Start) -> None:
    code = """
import resource
try:
    resource.setrlimit(resource.RLIMIT_NPROC, (10000, 10000))
except ValueError:
    say("refused")
"""
    assert start(code).hear() == "refused"


def test_the_kernel_takes_a_jail_before_a_worker(start: Start) -> None:
    assert start("say(int(open('/proc/self/oom_score_adj').read()))").hear() == 1000


def test_every_limit_is_said_with_its_means(sandbox: BubblewrapSandbox) -> None:
    spec = JailSpec("x", ("x",), JailLimits(3 * 1024 * MIB, 256, 512 * MIB, 600, cpus=1.5))
    said = sandbox.limits_in_force(spec)
    held = {name: f"cgroup v{place.version}" for name, place in sandbox.places.items()}
    assert said["memory"] == f"3 GiB ({held.get('memory', 'rlimit, each process')})"
    assert said["pids"] == f"256 ({held.get('pids', 'rlimit')})"
    assert said["cpu"] == "600 s (rlimit, each process)"
    assert said["tmp"] == "512 MiB each for /tmp, /home/student and /dev/shm (tmpfs)"
    assert said["cpus"] == (f"1.5 ({held['cpu']})" if "cpu" in held else "no limit: no cpu cgroup here")


@pytest.mark.slow
def test_a_share_of_the_processors_holds(start: Start, sandbox: BubblewrapSandbox) -> None:
    if "cpu" not in sandbox.places:
        pytest.skip("no cpu control group on this machine: a jail may use all processors")
    code = """
began, used = time.monotonic(), time.process_time()
while time.monotonic() < began + 2:
    pass
say(time.process_time() - used)
"""
    assert start(code, replace(LIMITS, cpus=0.25)).hear() < 1.0  # 0.5 s and the kernel's slack
