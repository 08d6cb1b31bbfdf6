"""An inner jail's walls, put up from within by its first process while that may still do so."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from typing import Final

from . import kernel

USER: Final = 1000
_ALONE: Final = (
    kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWNET | kernel.CLONE_NEWCGROUP
)
_PLAIN: Final = kernel.MS_NOSUID | kernel.MS_NODEV
_READ_ONLY: Final = kernel.MS_BIND | kernel.MS_REMOUNT | kernel.MS_RDONLY | _PLAIN | kernel.MS_NOEXEC
_KEPT_FROM_WRITING: Final = ("sys", "sysrq-trigger", "irq", "bus")


def put_up(*, workdir: str, tmp_bytes: int) -> None:
    """New namespaces; a /proc, terminals, a network and three writable folders of its own. All else is read-only.

    The process must be the first of its pid namespace. What lies in the outer jail's writable folders is copied, as if
    the imports that left it there had been made here.
    """
    kernel.unshare(_ALONE)
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("proc", "/proc", "proc", _PLAIN | kernel.MS_NOEXEC)
    _cover_proc()
    kernel.mount(
        "devpts", "/dev/pts", "devpts", kernel.MS_NOSUID | kernel.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"
    )
    for folder, mode in (("/tmp", "1777"), ("/dev/shm", "1777"), (workdir, "0755")):  # noqa: S108
        given = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        shown = [(place, os.open(place, os.O_PATH)) for place in _mounted_below(folder)]
        kernel.mount("tmpfs", folder, "tmpfs", _PLAIN, f"size={tmp_bytes},mode={mode}")
        _copy(given, folder, os.fstat(given).st_dev)
        os.close(given)
        for place, descriptor in shown:
            _show(descriptor, place)
    kernel.raise_loopback()


def become_user() -> None:
    """Enter a user namespace of one's own, as its only user, with no rights over what lies outside."""
    kernel.unshare(kernel.CLONE_NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{USER} 0 1"), ("gid_map", f"{USER} 0 1")):
        descriptor = os.open(f"/proc/self/{name}", os.O_WRONLY)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)
    kernel.drop_capabilities()


def _cover_proc() -> None:
    for name in _KEPT_FROM_WRITING:
        path = f"/proc/{name}"
        if os.path.exists(path):  # noqa: PTH110  pathlib is not worth its time here
            kernel.mount(path, path, None, kernel.MS_BIND | kernel.MS_REC)
            kernel.mount("none", path, None, _READ_ONLY)
    if os.path.exists("/proc/keys"):  # noqa: PTH110
        # Every process inherits the worker's keyring. A device that may not be used as one can't even be opened.
        kernel.mount("/dev/null", "/proc/keys", None, kernel.MS_BIND)
        kernel.mount("none", "/proc/keys", None, _READ_ONLY)


def _mounted_below(folder: str) -> list[str]:
    """What the outer jail shows there, as a lab environment that lies in /tmp; outer ones first."""
    with open("/proc/self/mountinfo", encoding="utf-8") as mounts:  # noqa: PTH123
        points = [line.split(" ")[4] for line in mounts]
    return sorted({point for point in points if point.startswith(f"{folder}/") and "\\" not in point})


def _show(descriptor: int, place: str) -> None:
    """Mount again, at the same place and as read-only as it was, what is open as `descriptor`. Closes it."""
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.makedirs(place, 0o755, exist_ok=True)  # noqa: PTH103
    else:
        os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)  # noqa: PTH103, PTH120
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT, 0o644))
    kernel.mount(f"/proc/self/fd/{descriptor}", place, None, kernel.MS_BIND)
    os.close(descriptor)


def _copy(source: int, target: str, device: int) -> None:
    """The folder open as `source`, which a mount may have covered since; nothing of other file systems below it."""
    with os.scandir(source) as entries:
        for entry in entries:
            path = f"{target}/{entry.name}"
            if entry.is_symlink():
                os.symlink(os.readlink(entry.name, dir_fd=source), path)  # noqa: PTH211
                continue
            found = entry.stat(follow_symlinks=False)
            mode = found.st_mode
            if found.st_dev != device or not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                continue  # or a pipe or a socket, whose other end is not here
            inner = os.open(entry.name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=source)
            with contextlib.ExitStack() as undo:
                undo.callback(os.close, inner)
                if stat.S_ISDIR(mode):
                    os.mkdir(path, 0o755)  # noqa: PTH102
                    _copy(inner, path, device)
                else:
                    with open(inner, "rb", closefd=False) as read, open(path, "wb") as write:  # noqa: PTH123
                        shutil.copyfileobj(read, write)
                    os.chmod(path, mode & 0o755 | 0o644)  # noqa: PTH101
