"""What an operator wants to know: which walls and limits hold on this machine, shown by a real jail."""

from __future__ import annotations

import json
import os
import socket
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.interface import JailLimits, JailSpec, SandboxUnavailable
from workers.sandbox.runsc import RunscSandbox

LIMITS: Final = JailLimits(memory_bytes=512 * 1024**2, pids=32, tmp_bytes=16 * 1024**2, cpu_s=10, cpus=1.0)
STARTS: Final = 7
ANSWER_S: Final = 30.0

PROBE: Final = """
import ctypes, json, os, socket

PR_GET_NO_NEW_PRIVS, CLONE_NEWUSER = 39, 0x10000000
libc = ctypes.CDLL(None)

def refused(action):
    try:
        action()
    except OSError:
        return True
    return False

status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
answer = {
    "uid": os.getuid(),
    "kernel": os.uname().release,
    "capabilities": any(int(status.get(name, "0"), 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")),
    "new privileges": libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1,
    "filter": status["Seccomp"] == "2",
    "interfaces": [line.split(":")[0].strip() for line in open("/proc/net/dev").read().splitlines()[2:]],
    "sockets refused": refused(lambda: socket.socket(socket.AF_INET).close()),
    "namespaces refused": libc.unshare(CLONE_NEWUSER) != 0,
    "writes refused": all(refused(lambda: open(top + "/x", "w").close()) for top in ("/", "/usr", "/etc", "/dev")),
    "environment": sorted(os.environ),
    "processes": sum(name.isdigit() for name in os.listdir("/proc")),
}
os.write(3, json.dumps(answer).encode())
"""


@dataclass(frozen=True)
class Finding:
    holds: bool
    sentence: str


def describe(lab_python: Path, build: type[BubblewrapSandbox] = BubblewrapSandbox) -> list[Finding]:
    """Every wall and limit in words; a jail that can't be built is one finding that says why."""
    try:
        sandbox = build(lab_python)
        answer = _ask(sandbox, lab_python)
        start_s = statistics.median(_start_s(sandbox, lab_python) for _ in range(STARTS))
    except SandboxUnavailable as error:
        return [Finding(False, str(error))]
    if answer is None:
        return [Finding(False, f"The lab interpreter {lab_python} doesn't run in a jail: can any user read it?")]
    return [
        Finding(True, f"Jails are built by {sandbox.program} and start in {start_s * 1000:.0f} ms."),
        *_walls(sandbox, answer),
        *_limits(sandbox),
    ]


def _walls(sandbox: BubblewrapSandbox, answer: dict[str, Any]) -> list[Finding]:
    if sandbox.privileged:
        user = Finding(True, "Each jail runs as a user of its own that exists nowhere else.")
    elif os.geteuid() == 0:
        user = Finding(
            False, "Jails run as this machine's root without capabilities: start the worker as another user."
        )
    else:
        user = Finding(True, "Jails run as the worker's own user in a user namespace.")
    alone = answer["interfaces"] == ["lo"]
    kernel: tuple[tuple[bool, str], ...]
    if isinstance(sandbox, RunscSandbox):
        # gVisor grants namespaces and sockets of its own kernel, and none of the machine's.
        kernel = (
            (answer["kernel"] != os.uname().release, f"System calls go to gVisor's kernel ({sandbox.runsc})."),
            (alone, "No network: only a loopback of its own."),
        )
    else:
        kernel = (
            (answer["filter"], "System calls are filtered."),
            (
                alone and answer["sockets refused"],
                "No network: only a loopback of its own, and no sockets but Unix ones.",
            ),
            (answer["namespaces refused"], "No namespaces of its own, so no new kernel surface."),
        )
    checks = (
        (not answer["capabilities"] and not answer["new privileges"], "No capabilities, and none to be gained."),
        *kernel,
        (answer["writes refused"], "The system is read-only."),
        (
            set(answer["environment"]) <= {"HOME", "LANG", "LC_CTYPE", "PATH", "PWD"},
            "Nothing of the worker's environment.",
        ),
        (answer["processes"] <= 3, "No processes but its own are visible."),
    )
    return [user, *(Finding(holds, sentence if holds else f"NOT SO: {sentence}") for holds, sentence in checks)]


def _limits(sandbox: BubblewrapSandbox) -> list[Finding]:
    on_gvisor = isinstance(sandbox, RunscSandbox)
    each = "limited for each process only, and files in memory are not counted"
    findings = []
    for controller, fallback in (
        ("memory", f"Memory is {'not limited' if on_gvisor else each}"),
        ("pids", "The number of processes is limited by RLIMIT_NPROC"),
        ("cpu", "A jail may use all processors as much as the worker does"),
    ):
        place = {str(name): place for name, place in sandbox.places.items()}.get(controller)
        if controller == "pids" and on_gvisor:
            findings.append(Finding(True, "The limit on pids is held by gVisor's kernel."))
        elif place is not None:
            sentence = f"The limit on {controller} is held by a control group (v{place.version}, under {place.path})."
            findings.append(Finding(True, sentence))
        else:
            holds = controller == "pids"
            findings.append(Finding(holds, f"{fallback}, because the worker can't make a {controller} control group."))
    if "memory" not in sandbox.places:
        advice = "Run the worker as root or in a delegated control group, or bound it as a whole (a container's limit)."
        findings.append(Finding(False, advice))
    return findings


def _ask(sandbox: BubblewrapSandbox, lab_python: Path) -> dict[str, Any] | None:
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            argv = (str(lab_python), "-I", "-S", "-c", PROBE)
            jail = sandbox.start(JailSpec("doctor", argv, LIMITS, descriptors=(theirs.fileno(),)))
        ours.settimeout(ANSWER_S)
        try:
            text = ours.recv(65536)
        except TimeoutError:
            text = b""
        jail.kill()
    answer: dict[str, Any] | None = json.loads(text) if text else None
    return answer


def _start_s(sandbox: BubblewrapSandbox, lab_python: Path) -> float:
    began = time.perf_counter()
    jail = sandbox.start(JailSpec("doctor", ("/bin/true",), LIMITS))
    while jail.ended() is None:
        time.sleep(0.001)
    return time.perf_counter() - began
