"""Jails that run on gVisor: a kernel of their own, in user space, inside the walls that bubblewrap builds."""

from __future__ import annotations

import resource
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from workers.sandbox import rlimits, runsc_bundle
from workers.sandbox.bubblewrap import HOST_NAME, PATH, BubblewrapSandbox, parents
from workers.sandbox.interface import JailLimits, JailSpec, SandboxUnavailable
from workers.sandbox.process import Descriptors, JailProcess

PLACE: Final = "/tmp/runsc"  # noqa: S108  around the jail, which has a /tmp of its own
FLAGS: Final = ("--root", f"{PLACE}/state", "--rootless", "--ignore-cgroups", "--network=none", "--overlay2=none")
# Its standard input and output are the only descriptors that gVisor hands on.
REDIRECTIONS: Final = ("", "<&3 3<&-", "<&3 >&4 3<&- 4<&-")
# What root needs to mount a /proc that nothing covers, as gVisor's user namespace wants it, and to become another user
CAPABILITIES: Final = ("CAP_SYS_ADMIN", "CAP_SETGID", "CAP_SETUID", "CAP_SETPCAP")
# Each process and thread inside is several outside. The limit inside strikes first; this one holds gVisor itself.
TASKS_EACH: Final = 8
OWN_TASKS: Final = 256
TRIAL: Final = JailLimits(memory_bytes=512 * 1024**2, pids=16, tmp_bytes=1024**2, cpu_s=10)
TRIAL_S: Final = 30.0


class RunscSandbox(BubblewrapSandbox):
    """Starts untrusted programs on gVisor, and trusted ones in bubblewrap's jails alone.

    A program that breaks out of gVisor's kernel is where it would be in a jail without gVisor: a user that owns
    nothing, in namespaces of its own, under the same control group.
    """

    name = "runsc"

    def __init__(self, lab_python: Path) -> None:
        """Raises SandboxUnavailable."""
        super().__init__(lab_python)
        self.runsc = locate()
        self._trusted = BubblewrapSandbox(lab_python)
        self._try()

    def start(self, spec: JailSpec) -> JailProcess:
        if spec.trusted:
            return self._trusted.start(spec)
        if spec.devices:
            raise SandboxUnavailable(
                "gVisor hands no devices on here: grade such labs with RIDGEPOINT_SANDBOX=bubblewrap."
            )
        if len(spec.descriptors) > runsc_bundle.MOST_DESCRIPTORS:
            raise ValueError(f"gVisor hands on at most {runsc_bundle.MOST_DESCRIPTORS} descriptors.")
        return super().start(spec)

    def _try(self) -> None:
        """gVisor starts after bubblewrap is done, so what it lacks would look like the end of a program."""
        jail = super().start(JailSpec("trial", ("/bin/true",), TRIAL))
        deadline = time.monotonic() + TRIAL_S
        while (ending := jail.ended()) is None and time.monotonic() < deadline:
            time.sleep(0.005)
        if jail.kill().kind != "exit" or ending is None or ending.code != 0:
            raise SandboxUnavailable(
                f"gVisor can't run a program here ({jail.stderr_tail().strip() or ending}): "
                "mend that, or set RIDGEPOINT_SANDBOX=bubblewrap."
            )

    def limits_in_force(self, spec: JailSpec) -> dict[str, str]:
        words = super().limits_in_force(spec)
        words["pids"] = f"{spec.limits.pids} (gVisor)"
        words["cpu"] = f"{spec.limits.cpu_s} s (gVisor's rlimit, the first process)"
        if "memory" not in self.places:
            words["memory"] = "no limit: no memory cgroup here"  # gVisor's kernel doesn't count what is mapped
        for name in ("tmp", "file"):
            words[name] = words[name].replace("(rlimit", "(gVisor's rlimit").replace("(tmpfs", "(gVisor's tmpfs")
        return words

    def _outer_limits(self, limits: JailLimits) -> JailLimits:
        return replace(limits, pids=limits.pids * TASKS_EACH + OWN_TASKS)

    def _set_rlimits(self, init: int, limits: JailLimits) -> None:
        """gVisor's kernel applies them to the program: to gVisor itself they would mean something else."""
        rlimits.lower(init, {resource.RLIMIT_CORE: (1, 1)})

    def _rights(self, uid: int, children: Descriptors) -> Iterator[str]:
        """No filter: gVisor's processes put on stricter ones of their own."""
        if self.privileged:
            for capability in CAPABILITIES:
                yield from ("--cap-add", capability)
        else:
            yield from ("--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "ALL")

    def _hide_keys(self) -> Iterator[str]:
        """gVisor shows a /proc of its own, and couldn't mount the machine's for itself if that were partly covered."""
        return iter(())

    def _file_system(self, spec: JailSpec, uid: int, children: Descriptors) -> Iterator[str]:
        yield from (*parents(f"{spec.workdir}/x"), *parents(f"{runsc_bundle.SKELETON}/x"))
        yield from super()._file_system(replace(spec, workdir=runsc_bundle.SKELETON), uid, children)
        memory = "memory" not in self.places
        config = runsc_bundle.configuration(
            spec, uid, host_name=HOST_NAME, path=PATH, memory=memory, shown=self.prefixes
        )
        yield from ("--perms", "0755", "--dir", PLACE, "--perms", "0755", "--dir", f"{PLACE}/bundle")
        yield from ("--perms", "1777", "--dir", f"{PLACE}/state")
        yield from ("--perms", "0644", "--file", children.give_bytes(config), f"{PLACE}/bundle/config.json")
        yield from ("--ro-bind", str(self.runsc), f"{PLACE}/runsc")

    def _command(self, spec: JailSpec, uid: int) -> list[str]:
        run = [f"{PLACE}/runsc", *FLAGS, "run", "--bundle", f"{PLACE}/bundle", "jail"]
        redirect = f'exec "$@" {REDIRECTIONS[len(spec.descriptors)]}'
        if not self.privileged:
            return ["/bin/sh", "-c", redirect, "sh", *run]
        become = ["/usr/bin/setpriv", "--reuid", str(uid), "--regid", str(uid), *runsc_bundle.DROP, "-all", "--"]
        become += ["/usr/bin/unshare", "--user", "--map-root-user", "--"]
        return ["/bin/sh", "-c", f"mount -t proc proc /proc && {redirect}", "sh", *become, *run]


def locate() -> Path:
    """Raises SandboxUnavailable."""
    found = shutil.which("runsc")
    if found is None:
        raise SandboxUnavailable(
            "gVisor's runsc is missing: install it (Debian: apt-get install runsc), "
            "or set RIDGEPOINT_SANDBOX=bubblewrap."
        )
    return Path(found)
