"""What gVisor is told of a jail: an OCI runtime configuration."""

from __future__ import annotations

import json
import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from workers.sandbox import rlimits
from workers.sandbox.interface import JailLimits, JailSpec

SKELETON: Final = "/etc/skel"
"""Where the jail's files lie until it copies them into its work folder, which gVisor makes empty."""

# gVisor offers no option for the number of processes, but its kernel has control groups. So the first process of the
# jail, still root of that kernel, makes one, enters it and gives its rights up. It can't be undone: the program owns
# none of these files. The descriptors that came as standard input and output then take their promised numbers.
ENTER: Final = """
set -e
mount -t cgroup -o pids none /sys/fs/cgroup
mkdir /sys/fs/cgroup/jail
echo "$1" >/sys/fs/cgroup/jail/pids.max
echo $$ >/sys/fs/cgroup/jail/cgroup.procs
ulimit -S -t "$2"
ulimit -H -t "$3"
shift 3
exec "$@"
"""
FILL: Final = f'cp -R {SKELETON}/. . && exec "$@"'
# Of gVisor's kernel, not of the machine's; CAP_DAC_OVERRIDE is for the control group's read-only root folder.
CAPABILITIES: Final = ("CAP_DAC_OVERRIDE", "CAP_SETGID", "CAP_SETPCAP", "CAP_SETUID", "CAP_SYS_ADMIN")
DROP: Final = ("--clear-groups", "--no-new-privs", "--inh-caps", "-all", "--ambient-caps", "-all", "--bounding-set")
REDIRECTIONS: Final = ("", "3<&0", "3<&0 4<&1")
MOST_DESCRIPTORS: Final = len(REDIRECTIONS) - 1

NAMES: Final = {
    getattr(resource, name): name for name in dir(resource) if name.startswith("RLIMIT_") and name != "RLIMIT_OFILE"
}


def configuration(
    spec: JailSpec, uid: int, *, host_name: str, path: str, memory: bool, shown: Sequence[Path] = ()
) -> bytes:
    """`memory`: bound each process's memory, because no control group of the machine's does. `shown`: folders of the
    outer jail that the program needs, wherever they lie."""
    rights = list(CAPABILITIES)
    size = spec.limits.tmp_bytes
    environment = {"PATH": path, "HOME": spec.workdir, "LANG": "C.UTF-8", **spec.env}
    settings: dict[str, Any] = {
        "ociVersion": "1.0.2",
        "hostname": host_name,
        "process": {
            "user": {"uid": 0, "gid": 0},
            "args": _command(spec, uid),
            "env": [f"{name}={value}" for name, value in environment.items()],
            "cwd": spec.workdir,
            "capabilities": {"bounding": rights, "effective": rights, "permitted": rights},
            "noNewPrivileges": True,
            "rlimits": _rlimits(spec.limits, memory=memory),
        },
        # The folders around the jail are read-only already, and remounting them takes rights that nobody has here.
        "root": {"path": "/", "readonly": False},
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/sys", "type": "sysfs", "source": "sysfs"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs"},
            _private("/dev/shm", "mode=1777", f"size={size}"),  # noqa: S108  the jail's own
            _private("/tmp", "mode=1777", f"size={size}"),  # noqa: S108
            _private(spec.workdir, "mode=0755", f"size={size}", f"uid={uid}", f"gid={uid}"),
            *(_shown(folder) for folder in shown if folder.is_relative_to("/tmp")),  # noqa: S108  else it is there
        ],
        "linux": {"namespaces": [{"type": kind} for kind in ("pid", "network", "ipc", "uts", "mount")]},
    }
    return json.dumps(settings).encode()


def _command(spec: JailSpec, uid: int) -> list[str]:
    program = list(spec.argv)
    if spec.files:
        program = ["/bin/sh", "-c", FILL, "sh", *program]
    drop = ["/usr/bin/setpriv", "--reuid", str(uid), "--regid", str(uid), *DROP, "-all", "--"]
    redirect = f'exec "$@" {REDIRECTIONS[len(spec.descriptors)]} </dev/null >/dev/null'
    limits = (spec.limits.pids, spec.limits.cpu_s, spec.limits.cpu_s + 1)
    return ["/bin/sh", "-c", ENTER.replace('exec "$@"', redirect), "sh", *map(str, limits), *drop, *program]


def _private(destination: str, *options: str) -> dict[str, Any]:
    return {"destination": destination, "type": "tmpfs", "source": "tmpfs", "options": list(options)}


def _shown(folder: Path) -> dict[str, Any]:
    return {"destination": str(folder), "type": "bind", "source": str(folder), "options": ["rbind", "ro"]}


def _rlimits(limits: JailLimits, *, memory: bool) -> list[dict[str, Any]]:
    chosen = rlimits.values(limits, memory=memory)
    return [{"type": NAMES[which], "soft": soft, "hard": hard} for which, (soft, hard) in chosen.items()]
