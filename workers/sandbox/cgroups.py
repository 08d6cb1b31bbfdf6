"""Control groups, version 1 or 2, wherever this process may make a child group; one group for each jail."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from workers.sandbox.interface import JailLimits

Controller = Literal["memory", "pids", "cpu"]
CONTROLLERS: Final[tuple[Controller, ...]] = ("memory", "pids", "cpu")
PREFIX: Final = "ridgepoint-"
CPU_PERIOD_US: Final = 100_000
REMOVAL_S: Final = 5.0

_serial = itertools.count(1)


@dataclass(frozen=True)
class Place:
    """A group of one hierarchy in which this process may make children that have the controller."""

    version: Literal[1, 2]
    path: Path


Places = Mapping[Controller, Place]


class Group:
    """The control group of one jail: a folder in each hierarchy that holds one of its limits."""

    def __init__(self, places: Places, limits: JailLimits) -> None:
        """Raises OSError when the host refuses after all; nothing is left behind then."""
        self._name = f"{PREFIX}{_owner()}-{next(_serial)}"
        self._folders = {controller: place.path / self._name for controller, place in places.items()}
        self._versions = {controller: place.version for controller, place in places.items()}
        try:
            for folder in set(self._folders.values()):
                folder.mkdir()
            self._limit(limits)
        except OSError:
            self.remove()
            raise

    def _limit(self, limits: JailLimits) -> None:
        if folder := self._folders.get("memory"):
            if self._versions["memory"] == 1:
                _write(folder / "memory.limit_in_bytes", limits.memory_bytes)
                swap, allowance = folder / "memory.memsw.limit_in_bytes", limits.memory_bytes
            else:
                _write(folder / "memory.max", limits.memory_bytes)
                swap, allowance = folder / "memory.swap.max", 0
            if swap.exists():
                _write(swap, allowance)
        if folder := self._folders.get("pids"):
            _write(folder / "pids.max", limits.pids + 1)  # bubblewrap's own pid 1 counts
        if folder := self._folders.get("cpu"):
            # Half the weight of an ordinary process group: the worker's heartbeat comes first.
            quota = None if limits.cpus is None else max(1000, int(limits.cpus * CPU_PERIOD_US))
            if self._versions["cpu"] == 1:
                _write(folder / "cpu.shares", 512)
                if quota is not None:
                    _write(folder / "cpu.cfs_period_us", CPU_PERIOD_US)
                    _write(folder / "cpu.cfs_quota_us", quota)
            else:
                _write(folder / "cpu.weight", 50)
                if quota is not None:
                    _write(folder / "cpu.max", f"{quota} {CPU_PERIOD_US}")

    def admit(self, pid: int) -> None:
        for folder in set(self._folders.values()):
            _write(folder / "cgroup.procs", pid)

    def memory_kills(self) -> int:
        """How many of its processes the kernel ended for want of memory; without a memory group, of all processes."""
        folder = self._folders.get("memory")
        if folder is None:
            file = Path("/proc/vmstat")
        else:
            file = folder / ("memory.oom_control" if self._versions["memory"] == 1 else "memory.events")
        found = re.search(r"^oom_kill (\d+)$", _read(file), re.MULTILINE)
        return int(found[1]) if found else 0

    def peak_memory(self) -> int | None:
        folder = self._folders.get("memory")
        if folder is None:
            return None
        text = _read(folder / ("memory.max_usage_in_bytes" if self._versions["memory"] == 1 else "memory.peak"))
        return int(text) if text else None  # memory.peak came with Linux 5.19

    def remove(self) -> None:
        """The jail's processes must have ended; the kernel may take a moment to see it."""
        for folder in set(self._folders.values()):
            _remove(folder)


def find() -> dict[Controller, Place]:
    """Where this process may limit a jail; empty where the host grants nothing. Removes what a killed worker left."""
    places: dict[Controller, Place] = {}
    own = _own_groups()
    for mount in _mounts():
        if mount.version == 1:
            for controller in CONTROLLERS:
                if (
                    controller in mount.options
                    and (group := mount.folder_of(own.get(controller, "/")))
                    and _grants(group)
                ):
                    places.setdefault(controller, Place(1, group))
    for mount in _mounts():
        if mount.version == 2:
            wanted = [controller for controller in CONTROLLERS if controller not in places]
            group = mount.folder_of(own.get("", "/"))
            for controller, folder in _second_version(mount.point, group, wanted).items():
                places[controller] = Place(2, folder)
    for folder in {place.path for place in places.values()}:
        _sweep(folder)
    return places


@dataclass(frozen=True)
class _Mount:
    version: Literal[1, 2]
    root: str
    point: Path
    options: frozenset[str]

    def folder_of(self, group: str) -> Path:
        """A container may see only the part of the hierarchy at `root`."""
        inside = group.removeprefix(self.root.rstrip("/")) if group.startswith(self.root) else "/"
        folder = self.point / inside.strip("/")
        return folder if folder.is_dir() else self.point


def _mounts() -> Iterator[_Mount]:
    for line in _read(Path("/proc/self/mountinfo")).splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            root, point = left.split(" ")[3:5]
            yield _Mount(1 if kind == "cgroup" else 2, root, Path(point), frozenset(options.split(",")))


def _own_groups() -> dict[str, str]:
    """This process's group by controller; that of version 2 under the empty name."""
    groups: dict[str, str] = {}
    for line in _read(Path("/proc/self/cgroup")).splitlines():
        _, controllers, path = line.split(":", 2)
        groups.update(dict.fromkeys(controllers.split(","), path))
    return groups


def _grants(folder: Path) -> bool:
    """Try it: permissions, read-only mounts and missing delegation all show only then."""
    trial = folder / f"{PREFIX}{_owner()}-{next(_serial)}"
    try:
        trial.mkdir()
    except OSError:
        return False
    _remove(trial)
    return True


def _second_version(top: Path, own: Path, wanted: list[Controller]) -> dict[Controller, Path]:
    """The nearest group upwards whose children have the most of the wanted controllers."""
    best: dict[Controller, Path] = {}
    folder = own
    while wanted and len(best) < len(wanted):
        if _grants(folder):
            if folder == own and _is_ours(own, top):
                _clear(own)
            given = _give(folder, wanted)
            if len(given) > len(best):
                best = dict.fromkeys(given, folder)
        if folder == top:
            break
        folder = folder.parent
    return best


def _is_ours(own: Path, top: Path) -> bool:
    """Whether this group was handed over to us: by systemd's Delegate=, or as the whole tree of a container."""
    if own == top:
        return (own / "cgroup.type").exists()  # the machine's own root group has no such file
    with contextlib.suppress(OSError):
        return os.getxattr(own, "user.delegate") == b"1"
    return False


def _clear(own: Path) -> None:
    """A group that holds processes can't give controllers to its children: move ours into a child."""
    inner = own / "ridgepoint"
    with contextlib.suppress(OSError):
        inner.mkdir(exist_ok=True)
        for pid in _read(own / "cgroup.procs").split():
            _write(inner / "cgroup.procs", pid)


def _give(folder: Path, wanted: list[Controller]) -> list[Controller]:
    switch = folder / "cgroup.subtree_control"
    for controller in wanted:
        if controller not in _read(switch).split():
            with contextlib.suppress(OSError):
                _write(switch, f"+{controller}")
    given = _read(switch).split()
    return [controller for controller in wanted if controller in given]


def _owner() -> str:
    """This process, unmistakable on this machine: its pid namespace, pid and start time."""
    return f"{Path('/proc/self/ns/pid').stat().st_ino}-{os.getpid()}-{_started(os.getpid())}"


def _started(pid: int) -> str:
    """Clock ticks since the machine started; empty when there is no such process, or it only waits to be reaped."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return fields[19] if fields and fields[0] not in "ZX" else ""


def _sweep(folder: Path) -> None:
    """A jail dies with its worker, so what a killed worker leaves is an empty group."""
    namespace = str(Path("/proc/self/ns/pid").stat().st_ino)
    for stale in folder.glob(f"{PREFIX}*"):
        parts = stale.name.removeprefix(PREFIX).split("-")
        if len(parts) == 4 and parts[0] == namespace and _started(int(parts[1])) != parts[2]:
            with contextlib.suppress(OSError):
                stale.rmdir()


def _remove(folder: Path) -> None:
    deadline = time.monotonic() + REMOVAL_S
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > deadline:
                return  # the next start sweeps it
            time.sleep(0.002)


def _write(file: Path, value: int | str) -> None:
    with file.open("w") as target:
        target.write(str(value))


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""
