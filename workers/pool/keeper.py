"""The outer wall around a fork server: it may put up inner walls, and nothing more."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from workers.sandbox.bubblewrap import BubblewrapSandbox, fresh_uid
from workers.sandbox.interface import JailSpec, SandboxUnavailable
from workers.sandbox.process import Descriptors

RIGHTS: Final = ("sys_admin", "net_admin", "setpcap", "setfcap")
"""What a fork server needs in its own user namespace: mounts and namespaces, a loopback, and to give all of it up."""
TO_CHANGE_USER: Final = ("setuid", "setgid")


class KeeperSandbox(BubblewrapSandbox):
    """Starts jails in a user namespace of their own in which the program keeps the rights to make further ones.

    These rights end at that namespace: to the machine the program is a user that owns nothing, also when the worker
    is root. It has no system call filter, so it must be ours.
    """

    name = "keeper"

    def __init__(self, lab_python: Path) -> None:
        super().__init__(lab_python)
        self._as_root, self.privileged = self.privileged, False

    def _rights(self, uid: int, children: Descriptors) -> Iterator[str]:
        if self._as_root:
            yield from ("--userns", children.give(_user_namespace(fresh_uid())))
        else:
            yield "--unshare-user"
        yield from ("--uid", "0", "--gid", "0")
        for right in (*RIGHTS, *(TO_CHANGE_USER if self._as_root else ())):
            yield from ("--cap-add", f"CAP_{right.upper()}")

    def _command(self, spec: JailSpec, uid: int) -> list[str]:
        if not self._as_root:
            return list(spec.argv)
        rights = ",".join(["-all", *(f"+{right}" for right in RIGHTS)])
        kept = [option for kind in ("bounding-set", "inh-caps", "ambient-caps") for option in (f"--{kind}", rights)]
        return ["/usr/bin/setpriv", "--reuid", "0", "--regid", "0", "--clear-groups", *kept, "--", *spec.argv]

    def _hide_keys(self) -> Iterator[str]:
        """A /proc that is covered in part can't be mounted anew by the children, who hide the keys themselves."""
        return iter(())


def _user_namespace(uid: int) -> int:
    """A descriptor of a new one, in which 0 is this user and 1 the machine's root.

    bubblewrap, which joins it, stays the machine's root until it has built the jail: so it can show what lies under
    folders that only root may enter. Its program can't become 1 again, having no right to change its user.
    """
    with subprocess.Popen(
        ["/usr/bin/unshare", "--user", "/bin/sh", "-c", "echo in; read line"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={},
    ) as inside:
        assert inside.stdout is not None  # noqa: S101  we asked for a pipe
        try:
            if inside.stdout.readline() != b"in\n":
                raise SandboxUnavailable("This machine grants no user namespaces.")
            for kind in ("uid", "gid"):
                Path(f"/proc/{inside.pid}/{kind}_map").write_text(f"0 {uid} 1\n1 0 1\n")
            return os.open(f"/proc/{inside.pid}/ns/user", os.O_RDONLY)
        finally:
            with contextlib.suppress(OSError):
                inside.communicate(b"\n")
