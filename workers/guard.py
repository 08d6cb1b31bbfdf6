"""Ends process groups when the process that started it is gone, however it went.

A supervisor that is killed with signal 9 can't clean up, and the kernel's parent-death signal reaches only its
children, not theirs. So this small process of its own waits for the end of its standard input, on which the
supervisor writes `+GROUP` for each group that it starts and `-GROUP` for each that has ended. It runs as a plain
file, with nothing imported but the standard library.
"""

import contextlib
import os
import signal
import sys
import time

GRACE_S = 5.0


def main() -> None:
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line[0] == "+":
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        _send(group, signal.SIGTERM)
    end = time.monotonic() + GRACE_S
    while time.monotonic() < end and any(_lives(group) for group in groups):
        time.sleep(0.05)
    for group in groups:
        _send(group, signal.SIGKILL)


def _send(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    main()
