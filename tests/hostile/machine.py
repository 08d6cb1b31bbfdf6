"""What a jail could have changed outside of itself. Other programs use this machine too, so each look is for what could
only be ours: descendants of this process, groups with its name, files and sockets of the jails' users, and whatever
has ESCAPED in its name, as everything that an attack plants must have."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from workers.sandbox import cgroups

ESCAPED: Final = "escaped"
DEEPEST: Final = 3
SHARED_FOLDERS: Final = ("/tmp", "/dev/shm", "/var/tmp", "/run")
TOP_FOLDERS: Final = ("/", "/etc", "/root", "/home", "/usr/local/bin", "/sys/fs/cgroup")
SETTINGS: Final = (
    *("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hostname"),
    *("/proc/sys/kernel/domainname", "/proc/sys/vm/overcommit_memory", "/sys/kernel/uevent_helper"),
    *("/etc/passwd", "/etc/hosts", "/etc/ld.so.preload"),
)
SET_CHILD_SUBREAPER: Final = 36

Picture = dict[str, frozenset[str]]


def be_subreaper(yes: bool) -> None:
    """Whether whatever escapes from a jail and loses its parents becomes our child, wherever it ran to."""
    if ctypes.CDLL(None, use_errno=True).prctl(SET_CHILD_SUBREAPER, int(yes), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")


def reap() -> None:
    """The orphans that became our children and have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def look(*folders: Path) -> Picture:
    """`folders` are compared by content."""
    return {
        "process": frozenset(_descendants()),
        "thread": frozenset(_numbered(each.name for each in threading.enumerate())),
        "descriptor": frozenset(_numbered(_descriptors())),
        "control group": frozenset(_groups()),
        "file": frozenset(_files()),
        "socket": frozenset(_sockets()),
        "key": frozenset(_keys()),
        "System V object": frozenset(_system_v()),
        "setting": frozenset(f"{name}: {line}" for name in SETTINGS for line in _read(name).splitlines()),
        "mount": frozenset(_mounts()),
        "content": frozenset(_contents(folders)),
    }


def differences(before: Picture, after: Picture) -> list[str]:
    found = []
    for kind, things in before.items():
        found += [f"new {kind}: {thing}" for thing in sorted(after[kind] - things)]
        if kind in ("setting", "mount", "content"):
            found += [f"lost {kind}: {thing}" for thing in sorted(things - after[kind])]
    return found


def _descendants() -> Iterator[str]:
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        name, _, fields = _read(folder / "stat").rpartition(")")
        state, parent, *_rest = [*fields.split(), "", ""]
        if not name or state == "Z":
            continue
        pid = int(folder.name)
        parents[pid] = int(parent)
        names[pid] = _read(folder / "cmdline").replace("\0", " ").strip()[:200]
    own = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in own and pid not in own}:
        own |= more
    yield from (f"{pid} {names[pid]}" for pid in own - {os.getpid()})


def _numbered(kinds: Iterable[str]) -> Iterator[str]:
    """Each with how many of its kind came before, where their own numbers are used again for others."""
    counts: Counter[str] = Counter()
    for kind in kinds:
        counts[kind] += 1
        yield f"{kind} ({counts[kind]})"


def _descriptors() -> Iterator[str]:
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            yield str(entry.readlink()).partition(":[")[0]


def _groups() -> Iterator[str]:
    own = f"{cgroups.PREFIX}{cgroups._owner()}"
    for place in _places():
        for folder in place.iterdir():
            if folder.name.startswith(own) or ESCAPED in folder.name:
                yield str(folder)
        for name in ("release_agent", "notify_on_release"):
            yield f"{place / name}: {_read(place / name).strip()}"


@cache
def _places() -> frozenset[Path]:
    return frozenset(place.path for place in cgroups.find().values())


def _files() -> Iterator[str]:
    strangers = _strangers()
    for top in SHARED_FOLDERS:
        for path, status in _walk(top, DEEPEST):
            if status.st_uid in strangers or ESCAPED in path.rpartition("/")[2]:
                yield path
    for top in TOP_FOLDERS:
        yield from (path for path, _ in _walk(top, 1) if ESCAPED in path.rpartition("/")[2])


def _walk(top: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    try:
        entries = list(os.scandir(top))
    except OSError:
        return
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
            deeper = depth > 1 and entry.is_dir(follow_symlinks=False)
        except OSError:
            continue
        yield entry.path, status
        if deeper:
            yield from _walk(entry.path, depth - 1)


def _sockets() -> Iterator[str]:
    yield from (line for line in _lines("/proc/net/unix") if ESCAPED in line)
    strangers = _strangers()
    for name in ("tcp", "tcp6", "udp", "udp6"):
        for line in _lines(f"/proc/net/{name}", first=1):
            fields = line.split()
            if len(fields) > 7 and int(fields[7]) in strangers:
                yield f"{name} {fields[1]}"


def _mounts() -> Iterator[str]:
    """Other programs mount what they like in their temporary folders."""
    for line in _lines("/proc/self/mountinfo"):
        point = line.split()[4]
        if ESCAPED in line or not point.startswith("/tmp/"):
            yield line


def _system_v() -> Iterator[str]:
    strangers = _strangers()
    for name in ("shm", "sem", "msg"):
        head, *lines = [line.split() for line in _lines(f"/proc/sysvipc/{name}")] or [[]]
        for fields in (dict(zip(head, line, strict=False)) for line in lines):
            if int(fields["uid"]) in strangers or int(fields["cuid"]) in strangers:
                yield f"{name} of user {fields['cuid']}, key {fields['key']}"


def _keys() -> Iterator[str]:
    strangers = _strangers()
    for line in _lines("/proc/keys"):
        fields = line.split()
        if ESCAPED in line or (len(fields) > 5 and fields[5].isdigit() and int(fields[5]) in strangers):
            yield f"{fields[0]} {' '.join(fields[5:])}"


def _strangers() -> range:
    """The users from which a jail takes its own; without root's rights a jail's user is ours, and names must do."""
    if os.geteuid():
        return range(0)
    first, _, count = (int(field) for field in _read("/proc/self/uid_map").splitlines()[-1].split())
    room = min(count, 2**31 - 2 - first) // 2
    return range(first + room, first + 2 * room)


def _contents(folders: Iterable[Path]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{path} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _lines(*names: str, first: int = 0) -> Iterator[str]:
    for name in names:
        yield from _read(name).splitlines()[first:]


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
