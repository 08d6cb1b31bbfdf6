"""What a forked process does: stand at the gate, put up the walls, run the program, tell how it ended."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from . import kernel, walls

FAILED: Final = 70  # EX_SOFTWARE, should the program's own main() raise
_FIRST_FREE: Final = 64  # above what a request may hand over, so that no copy lands on one still to be copied


@dataclass(frozen=True)
class Request:
    """`status` takes the ending in words, `gate` opens with one byte and gets one when the walls stand; both, `log` and
    `given` are descriptors."""

    workdir: str
    tmp_bytes: int
    status: int
    gate: int
    log: int
    given: tuple[int, ...]

    @classmethod
    def read(cls, message: Mapping[str, Any], descriptors: Sequence[int]) -> Request:
        status, gate, log, *given = descriptors
        return cls(message["workdir"], message["tmp_bytes"], status, gate, log, tuple(given))


def live(request: Request, main: Callable[[], None], filter_program: bytes) -> NoReturn:
    """As the first process of a new pid namespace. Never returns."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if os.read(request.gate, 1) != b"x":
            os._exit(0)  # the worker is gone
        kernel.set_dumpable(False)
        walls.put_up(workdir=request.workdir, tmp_bytes=request.tmp_bytes)
        os.write(request.gate, b"x")
        os.close(request.gate)
        # The program may send signals to this process, and what was imported may have left handlers for them.
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        program = os.fork()
        if program == 0:
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
            _run(request, main, filter_program)
        _keep_only((request.status,))
        kernel.drop_capabilities()
        kernel.filter_calls(filter_program)
    except BaseException as error:  # noqa: BLE001  whatever it is, the worker is to know
        os.write(request.status, f"walls {type(error).__name__}: {error}".encode()[:1000])
        os._exit(FAILED)
    os.write(request.status, f"exit {_wait_for(program)}".encode())
    os._exit(0)


def _wait_for(program: int) -> int:
    """Its exit status as a shell would have it: 128 + n for signal n. Meanwhile orphans are reaped."""
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == program:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def _run(request: Request, main: Callable[[], None], filter_program: bytes) -> NoReturn:
    code = FAILED
    try:
        walls.become_user()
        os.setsid()
        kernel.set_dumpable(True)
        os.chdir(request.workdir)
        _arrange(request)
        kernel.filter_calls(filter_program)
        _forget()
        main()
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(code)


def _arrange(request: Request) -> None:
    """The log as standard error, what was given as 3, 4, ...; nothing else stays open."""
    null = os.open(os.devnull, os.O_RDWR)
    wanted = (null, null, request.log, *request.given)
    copies = [os.dup2(descriptor, _FIRST_FREE + number, inheritable=True) for number, descriptor in enumerate(wanted)]
    for number, copy in enumerate(copies):
        os.dup2(copy, number, inheritable=True)
    os.closerange(len(wanted), _most_open())


def _keep_only(descriptors: tuple[int, ...]) -> None:
    below = 0
    for descriptor in sorted(descriptors):
        os.closerange(below, descriptor)
        below = descriptor + 1
    os.closerange(below, _most_open())


def _most_open() -> int:
    return int(os.sysconf("SC_OPEN_MAX"))


def _forget() -> None:
    """Random numbers that were drawn before the fork would be the same for everybody; and who forked is nobody's
    business."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed()
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.default_generator.seed()
    for name in [name for name in sys.modules if name.partition(".")[0] == __package__]:
        del sys.modules[name]
