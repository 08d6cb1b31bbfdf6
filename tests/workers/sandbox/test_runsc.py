"""What is gVisor's alone: what goes into it and what stays out, what it refuses, and a whole grading on it."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from server.settings import base, env
from tests import grading
from tests.grading import lab, notebook, points, shown, squares
from tests.workers.sandbox.conftest import LIMITS, Running, Start, children, starting
from workers import sandbox as sandboxes
from workers.engine import Outcome, grade, render
from workers.pool.warm import WarmPool
from workers.sandbox.interface import Jail, JailSpec, Sandbox, SandboxUnavailable
from workers.sandbox.runsc import RunscSandbox

pytestmark = pytest.mark.slow
on_runsc = pytest.mark.parametrize("sandbox", ["runsc"], indirect=True, scope="session")
KERNEL = "say([os.uname().release, open('/proc/version').read()])"


def test_the_setting_chooses_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "SANDBOX", "runsc")
    assert sandboxes.default_sandbox(settings.LAB_PYTHON).name == "runsc"


def test_bubblewrap_is_the_default() -> None:
    assert sandboxes.default_sandbox(settings.LAB_PYTHON).name == "bubblewrap"


def test_a_setting_that_names_no_sandbox_stops_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIDGEPOINT_SANDBOX", "docker")
    with pytest.raises(ImproperlyConfigured, match="RIDGEPOINT_SANDBOX is 'docker': write bubblewrap or runsc"):
        env.choice("SANDBOX", "bubblewrap", "runsc")


def test_without_runsc_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="apt-get install runsc"):
        RunscSandbox(settings.LAB_PYTHON)


def test_a_runsc_that_runs_nothing_is_found_out_before_any_grading(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "runsc"
    program.write_text("#!/bin/sh\necho this kernel is too old >&2\nexit 128\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(SandboxUnavailable, match="this kernel is too old"):
        RunscSandbox(settings.LAB_PYTHON)


@on_runsc
def test_a_program_sees_a_kernel_that_is_not_the_machines(start: Start) -> None:
    release, version = start(KERNEL).hear()
    assert release != os.uname().release
    assert version != Path("/proc/version").read_text()


@on_runsc
def test_what_is_trusted_runs_on_the_machines_own_kernel(start: Start) -> None:
    release, _ = start(KERNEL, trusted=True).hear()
    assert release == os.uname().release


@on_runsc
def test_two_descriptors_keep_their_order(start: Start) -> None:
    ours, theirs = socket.socketpair()
    second, other = socket.socketpair()
    with ours, theirs, second, other:
        jail = start("os.write(3, b'third'); os.write(4, b'fourth')", descriptors=(theirs.fileno(), other.fileno()))
        ours.settimeout(60)
        second.settimeout(60)
        assert (ours.recv(10), second.recv(10)) == (b"third", b"fourth")
        jail.jail.kill()


@on_runsc
def test_a_third_descriptor_is_refused(sandbox: RunscSandbox) -> None:
    with pytest.raises(ValueError, match="at most 2 descriptors"):
        sandbox.start(JailSpec("x", ("/bin/true",), LIMITS, descriptors=(0, 0, 0)))


@on_runsc
def test_a_device_is_refused(sandbox: RunscSandbox) -> None:
    with pytest.raises(SandboxUnavailable, match="RIDGEPOINT_SANDBOX=bubblewrap"):
        sandbox.start(JailSpec("x", ("/bin/true",), LIMITS, devices=("/dev/zero",)))


@on_runsc
def test_the_report_says_what_gvisor_holds(sandbox: RunscSandbox) -> None:
    said = sandbox.limits_in_force(JailSpec("x", ("x",), dataclasses.replace(LIMITS, pids=7)))
    assert said["pids"] == "7 (gVisor)"
    assert "gVisor" in said["tmp"]


@on_runsc
def test_the_limit_on_processes_can_not_be_lifted_from_inside(start: Start) -> None:
    code = """
top = "/sys/fs/cgroup"
files = [top + "/cgroup.procs", top + "/jail/pids.max", top + "/jail/cgroup.procs"]
say([attempt(lambda: open(file, "w").write("1000")) for file in files] + [attempt(lambda: os.mkdir(top + "/x"))])
"""
    assert start(code).hear() == [errno.EACCES] * 4


CALLS = """
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    return ctypes.get_errno() if libc.syscall(*arguments) < 0 else 0
"""


@pytest.fixture(scope="module")
def calls() -> Iterator[Running]:
    """What calls into the kernel answer, on x86-64 as on every other: those since 424 have one number everywhere."""
    with starting(RunscSandbox(settings.LAB_PYTHON)) as start:
        yield start(
            CALLS
            + """
say({
    "open_tree": call(428, -100, b"/", 0),
    "fsopen": call(430, b"tmpfs", 0),
    "pidfd_getfd": call(438, 0, 0, 0),
    "mount": -libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) and ctypes.get_errno(),
    "swapoff": -libc.swapoff(b"/tmp/x") and ctypes.get_errno(),
    "sethostname": -libc.sethostname(b"x", 1) and ctypes.get_errno(),
    "ptrace": -libc.ptrace(16, 1 if os.getpid() != 1 else 2, 0, 0) and ctypes.get_errno(),
})
"""
        )


@pytest.fixture(scope="module")
def answers(calls: Running) -> dict[str, int]:
    heard: dict[str, int] = calls.hear()
    return heard


@pytest.mark.parametrize("name", ["open_tree", "fsopen", "pidfd_getfd"])
def test_gvisors_kernel_does_not_know(answers: dict[str, int], name: str) -> None:
    assert answers[name] == errno.ENOSYS


@pytest.mark.parametrize("name", ["mount", "swapoff", "sethostname"])
def test_gvisors_kernel_refuses(answers: dict[str, int], name: str) -> None:
    assert answers[name] in (errno.EPERM, errno.ENOSYS)


def test_there_is_no_other_process_to_trace(answers: dict[str, int]) -> None:
    assert answers["ptrace"] in (errno.ESRCH, errno.EPERM)


@on_runsc
def test_its_io_uring_is_not_the_machines(start: Start) -> None:
    """gVisor's kernel has one of its own, which does nothing outside."""
    jail = start(CALLS + "call(425, 8, ctypes.create_string_buffer(120)); say(1); time.sleep(600)")
    jail.hear()
    held = {file.readlink().name for pid in descendants() for file in Path(f"/proc/{pid}/fd").iterdir()}
    assert held
    assert [name for name in held if "io_uring" in name] == []


def descendants() -> list[int]:
    found = children()
    for pid in found:
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


@on_runsc
def test_a_mount_in_a_user_namespace_of_its_own_changes_nothing_outside(start: Start) -> None:
    """gVisor's kernel may grant it: the mount is in that kernel only."""
    before = Path("/proc/self/mountinfo").read_text().count("\n")
    code = "libc = ctypes.CDLL(None)\nlibc.unshare(0x10020000)\nlibc.mount(b'none', b'/usr', b'tmpfs', 0, None)\nsay(1)"
    jail = start(code)
    jail.hear()
    assert Path("/proc/self/mountinfo").read_text().count("\n") == before
    assert Path("/usr/bin").is_dir()


@on_runsc
def test_it_can_not_reach_a_port_of_the_machine(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"say(attempt(lambda: socket.create_connection(('127.0.0.1', {port}), 5)))"
        assert start(code).hear() in (errno.ECONNREFUSED, errno.ENETUNREACH)


SQUARES = lab(squares("q1", "f1"), squares("q2", "f2"))


def graded_by(sandbox: Sandbox) -> Outcome:
    """A notebook with a right and a wrong answer, whose second cell prints what kernel it runs on."""
    return grade(
        SQUARES,
        notebook("def f1(x): return x * x", "import os\ndef f2(x): return 7\nprint(os.uname().release)"),
        seed=20261130,
        sandbox=sandbox,
        lab_python=settings.LAB_PYTHON,
        cache_dir=settings.CACHE_DIR,
        on_progress=lambda _progress: None,
    )


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return graded_by(RunscSandbox(settings.LAB_PYTHON))


def test_a_notebook_gets_the_points_it_deserves(outcome: Outcome) -> None:
    assert points(outcome) == {"q1": 2.0, "q2": 0.0}


def test_the_students_cells_run_on_gvisor(outcome: Outcome) -> None:
    assert os.uname().release not in shown(outcome, 2)


def test_a_warm_pool_leaves_the_students_cells_to_gvisor() -> None:
    with contextlib.closing(WarmPool(RunscSandbox(settings.LAB_PYTHON), settings.LAB_PYTHON)) as pool:
        assert os.uname().release not in shown(graded_by(pool), 2)


class Watched:
    """Remembers which jails are trusted."""

    name = "watched"

    def __init__(self) -> None:
        self.trusted: dict[str, bool] = {}

    def start(self, spec: JailSpec) -> Jail:
        self.trusted[spec.name] = spec.trusted
        return grading.sandbox().start(spec)


def test_only_the_examiner_is_trusted() -> None:
    watched = Watched()
    done = graded_by(watched)
    render(done.executed, sandbox=watched, lab_python=settings.LAB_PYTHON)
    assert watched.trusted == {"examiner": True, "student": False, "render": False}


def test_the_report_is_the_same_as_bubblewraps(outcome: Outcome) -> None:
    other = grading.graded(SQUARES, "def f1(x): return x * x", "def f2(x): return 7")
    assert outcome.report.questions == other.report.questions


def test_an_executed_notebook_is_rendered(outcome: Outcome) -> None:
    html = render(outcome.executed, sandbox=RunscSandbox(settings.LAB_PYTHON), lab_python=settings.LAB_PYTHON)
    assert "f1" in html
