from __future__ import annotations

import errno
import platform
from collections.abc import Iterator
from typing import Any

import pytest

from tests.workers.sandbox.conftest import Start, starting
from workers.sandbox import seccomp
from workers.sandbox.bubblewrap import BubblewrapSandbox

# The numbers of x86-64 and of the generic table (aarch64 and younger); from 424 on there is only one table.
NUMBERS = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "quotactl": (179, 60),
    "acct": (163, 89),
    "prlimit64": (302, 261),  # of process 1; of others it is allowed
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "personality": (135, 92),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "vmsplice": (278, 75),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
    "pidfd_getfd": (438, 438),
    "quotactl_fd": (443, 443),
    "memfd_secret": (447, 447),
}
ABSENT = {"clone3": 435, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "future": 480}
FAMILIES = {"inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "bluetooth": 31, "alg": 38, "vsock": 40, "xdp": 44}
NAMESPACES = {
    "mount": 0x20000,
    "cgroup": 0x2000000,
    "uts": 0x4000000,
    "ipc": 0x8000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
X86 = platform.machine() == "x86_64"
CLONE, IOCTL, PERSONALITY = (56, 16, 135) if X86 else (220, 29, 92)

PROBE = f"""
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(number, *(ctypes.c_ulong(value) for value in arguments))
    return ctypes.get_errno() if result == -1 else 0
def clone(flags):
    ctypes.set_errno(0)
    pid = libc.syscall({CLONE}, ctypes.c_ulong(flags | 17), *(ctypes.c_ulong(0),) * 4)
    if pid == 0:
        os._exit(0)
    return ctypes.get_errno() if pid == -1 else 0
say({{
    "refused": {{name: call(numbers[{0 if X86 else 1}], 1, 0, 0, 0, 0, 0) for name, numbers in {NUMBERS!r}.items()}},
    "absent": {{name: call(number, 0, 0, 0, 0, 0, 0) for name, number in {ABSENT!r}.items()}},
    "families": {{name: attempt(lambda: socket.socket(family, 2).close()) for name, family in {FAMILIES!r}.items()}},
    "pairs": attempt(lambda: socket.socketpair(40)),
    "unix": attempt(lambda: socket.socket(socket.AF_UNIX).close()),
    "namespaces": {{name: clone(flag) for name, flag in {NAMESPACES!r}.items()}},
    "fork": clone(0),
    "typing": [call({IOCTL}, 0, request, 0) for request in (0x5412, 0x541C, 0x100005412)],
    "asking": call({PERSONALITY}, 0xFFFFFFFF),
    "x32": call(0x40000000 + 39),
}})
"""


@pytest.fixture(scope="module")
def answers(sandbox: BubblewrapSandbox) -> Iterator[dict[str, Any]]:
    with starting(sandbox) as start:
        yield start(PROBE).hear()


@pytest.mark.parametrize("name", NUMBERS)
def test_it_refuses(answers: dict[str, Any], name: str) -> None:
    assert answers["refused"][name] == errno.EPERM


@pytest.mark.parametrize("name", ABSENT)
def test_it_acts_as_if_the_kernel_had_no(answers: dict[str, Any], name: str) -> None:
    assert answers["absent"][name] == errno.ENOSYS


@pytest.mark.parametrize("family", FAMILIES)
def test_it_refuses_sockets_of_family(answers: dict[str, Any], family: str) -> None:
    assert answers["families"][family] == errno.EPERM


def test_it_refuses_pairs_of_other_sockets(answers: dict[str, Any]) -> None:
    assert answers["pairs"] == errno.EPERM


def test_it_allows_unix_sockets(answers: dict[str, Any]) -> None:
    assert answers["unix"] == 0


@pytest.mark.parametrize("name", NAMESPACES)
def test_it_refuses_a_new_namespace_of(answers: dict[str, Any], name: str) -> None:
    assert answers["namespaces"][name] == errno.EPERM


def test_it_allows_ordinary_forks(answers: dict[str, Any]) -> None:
    assert answers["fork"] == 0


def test_it_refuses_typing_into_a_terminal_whatever_the_upper_half_says(answers: dict[str, Any]) -> None:
    assert answers["typing"] == [errno.EPERM] * 3


def test_it_allows_asking_for_the_personality(answers: dict[str, Any]) -> None:
    assert answers["asking"] == 0


def test_it_refuses_calls_of_the_x32_table(answers: dict[str, Any]) -> None:
    assert answers["x32"] == errno.ENOSYS


@pytest.mark.skipif(not X86, reason="only x86-64 processors run i386 system calls")
def test_a_system_call_of_i386_ends_the_program(start: Start) -> None:
    code = r"""
import mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid); int 0x80; ret
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
say("still here")
"""
    ending = start(code).end()
    assert ending.kind == "signal"
    assert ending.code in (31, 11)  # SIGSYS; SIGSEGV from a kernel that has no i386 calls


def test_threads_and_subprocesses_work(start: Start) -> None:
    code = """
import subprocess, threading
thread = threading.Thread(target=say, args=("thread",)); thread.start(); thread.join()
say(subprocess.run(["/bin/echo", "process"], capture_output=True, text=True).stdout)
"""
    jail = start(code)
    assert [jail.hear(), jail.hear()] == ["thread", "process\n"]


def test_the_filter_is_compiled_once() -> None:
    assert seccomp.program() is seccomp.program()
