"""The system calls that a jail refuses, as one BPF program for bubblewrap's --seccomp."""

from __future__ import annotations

import errno
import os
import socket
import struct
import termios
from functools import lru_cache
from typing import Final

from workers.sandbox.interface import SandboxUnavailable

# What changes the machine, looks into other processes, or is kernel surface that no notebook needs.
REFUSED: Final = (
    # namespaces and mounts: the jail's walls are made of these
    *("unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot"),
    # other processes, even of the same user
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "move_pages", "migrate_pages"),
    # keyrings are shared between namespaces
    *("add_key", "request_key", "keyctl"),
    # kernel surface
    *("bpf", "perf_event_open", "userfaultfd", "fanotify_init", "lookup_dcookie", "vmsplice", "modify_ldt"),
    # file handles leave the mount namespace
    *("open_by_handle_at", "name_to_handle_at"),
    # the machine itself
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module"),
    *("reboot", "swapon", "swapoff", "quotactl", "acct", "syslog", "iopl", "ioperm", "vhangup", "nfsservctl"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime", "sethostname", "setdomainname"),
    *("uselib", "ustat", "sysfs", "_sysctl"),
)

# Numbers, because libseccomp is often older than the kernel; since 424 they are the same on all architectures.
REFUSED_SINCE_424: Final = (
    *(428, 429, 430, 431, 432, 433, 442),  # open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
    *(438, 440, 448),  # pidfd_getfd, process_madvise, process_mrelease
    *(443, 447),  # quotactl_fd, memfd_secret
)
UNKNOWN_HERE: Final = (
    435,  # clone3: its flags lie in memory, where a filter can't look; libc falls back on clone
    *(425, 426, 427),  # io_uring does system calls that no filter sees
)
# System calls younger than this list are refused as if the kernel had none.
FIRST_UNKNOWN: Final = 457

# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET (NEWTIME can only be asked of clone3 and unshare)
NAMESPACE_FLAGS: Final = (1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30)
TIOCLINUX: Final = 0x541C

_LOAD_NUMBER: Final = struct.pack("=HBBI", 0x20, 0, 0, 0)


@lru_cache(maxsize=1)
def program() -> bytes:
    """Compiled once in a process's life: an array of struct sock_filter.

    Raises:
        SandboxUnavailable: libseccomp is not on this machine.
    """
    try:
        import pyseccomp  # it loads libseccomp.so.2 when imported
    except (ImportError, RuntimeError, OSError) as error:
        raise SandboxUnavailable(
            f"The system call filter needs libseccomp ({error}): install the package libseccomp2."
        ) from error

    # Another architecture's calls (i386, x32) end the process: libseccomp's default for a filter of one architecture.
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    refuse = pyseccomp.ERRNO(errno.EPERM)
    absent = pyseccomp.ERRNO(errno.ENOSYS)

    def masked(argument: int, mask: int, value: int) -> object:
        return pyseccomp.Arg(argument, pyseccomp.MASKED_EQ, mask, value)

    for name in REFUSED:
        number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
        if number >= 0:  # negative: this architecture has no such call
            rules.add_rule(refuse, number)
    for number in REFUSED_SINCE_424:
        rules.add_rule(refuse, number)
    for number in UNKNOWN_HERE:
        rules.add_rule(absent, number)
    for flag in NAMESPACE_FLAGS:
        rules.add_rule(refuse, "clone", masked(0, flag, flag))
    rules.add_rule(refuse, "socket", pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX))
    rules.add_rule(refuse, "socketpair", pyseccomp.Arg(0, pyseccomp.NE, socket.AF_UNIX))
    rules.add_rule(refuse, "personality", pyseccomp.Arg(0, pyseccomp.NE, 0xFFFFFFFF))  # that value only asks
    # The first process in a jail may be of the same user, and is not the program's to limit.
    rules.add_rule(refuse, "prlimit64", masked(0, 0xFFFFFFFF, 1))
    for request in (termios.TIOCSTI, TIOCLINUX):  # typing into a terminal; the kernel ignores the upper half
        rules.add_rule(refuse, "ioctl", masked(1, 0xFFFFFFFF, request))

    with os.fdopen(os.memfd_create("seccomp"), "w+b", buffering=0) as file:
        rules.export_bpf(file)
        file.seek(0)
        return _refuse_from(FIRST_UNKNOWN) + file.read()


def _refuse_from(number: int) -> bytes:
    """Two instructions more before libseccomp's own, which can't compare a call's number."""
    jump_if_below = struct.pack("=HBBI", 0x35, 0, 1, number)  # BPF_JMP | BPF_JGE | BPF_K
    answer = struct.pack("=HBBI", 0x06, 0, 0, 0x0005_0000 | errno.ENOSYS)  # BPF_RET | SECCOMP_RET_ERRNO
    return _LOAD_NUMBER + jump_if_below + answer
