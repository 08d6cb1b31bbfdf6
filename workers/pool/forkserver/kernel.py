"""The few system calls that Python has no function for."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
from typing import Final

CLONE_NEWNS: Final = 1 << 17
CLONE_NEWCGROUP: Final = 1 << 25
CLONE_NEWUTS: Final = 1 << 26
CLONE_NEWIPC: Final = 1 << 27
CLONE_NEWUSER: Final = 1 << 28
CLONE_NEWPID: Final = 1 << 29
CLONE_NEWNET: Final = 1 << 30

MS_RDONLY: Final = 1
MS_NOSUID: Final = 2
MS_NODEV: Final = 4
MS_NOEXEC: Final = 8
MS_REMOUNT: Final = 1 << 5
MS_BIND: Final = 1 << 12
MS_REC: Final = 1 << 14
MS_PRIVATE: Final = 1 << 18

_PR_SET_DUMPABLE: Final = 4
_PR_SET_SECCOMP: Final = 22
_PR_CAPBSET_DROP: Final = 24
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAP_AMBIENT: Final = 47
_PR_CAP_AMBIENT_CLEAR_ALL: Final = 4
_SECCOMP_MODE_FILTER: Final = 2
_CAPABILITY_VERSION: Final = 0x20080522
_LAST_CAPABILITY: Final = 63
_SIOCGIFFLAGS: Final = 0x8913
_SIOCSIFFLAGS: Final = 0x8914
_IFF_UP: Final = 1

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def setns(descriptor: int, kind: int) -> None:
    _checked(_libc.setns(descriptor, kind), "setns")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    filesystem = None if kind is None else kind.encode()
    done = _libc.mount(source.encode(), target.encode(), filesystem, ctypes.c_ulong(flags), data.encode() or None)
    _checked(done, f"mount {target}")


def set_dumpable(yes: bool) -> None:
    """Whether processes of the same user may look into this one."""
    _checked(_libc.prctl(_PR_SET_DUMPABLE, int(yes), 0, 0, 0), "prctl(PR_SET_DUMPABLE)")


def drop_capabilities() -> None:
    """All of them, for good, in this process and what it starts."""
    for number in range(_LAST_CAPABILITY + 1):
        _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)  # the kernel knows fewer
    _libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")


def filter_calls(program: bytes) -> None:
    """Install a seccomp filter: an array of struct sock_filter. It also rules out new privileges by exec."""
    _checked(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl(PR_SET_NO_NEW_PRIVS)")
    instructions = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    whole = Program(len(program) // 8, ctypes.cast(instructions, ctypes.c_void_p))
    done = _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(whole), 0, 0)
    _checked(done, "prctl(PR_SET_SECCOMP)")


def raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = fcntl.ioctl(any_socket, _SIOCGIFFLAGS, struct.pack("=16sh14x", b"lo", 0))
        (flags,) = struct.unpack_from("=h", request, 16)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("=16sh14x", b"lo", flags | _IFF_UP))
