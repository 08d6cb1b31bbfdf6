"""`python -m forkserver MODULE [IMPORT ...]`: fork processes that run MODULE, as descriptor 3 asks for them.

The imports are made once, here, and MODULE.prepare() gives what each child calls. Neither may run a parallel
operation or initialize a device: such a process can't be forked any more.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Final

from . import kernel
from .child import FAILED, Request, live

CONTROL: Final = 3
FILTER: Final = 4
MOST_BYTES: Final = 65_536
MOST_DESCRIPTORS: Final = 32
MOST_FILTER_BYTES: Final = 1024 * 1024


def main() -> None:
    module, *imports = sys.argv[1:]
    filter_program = os.pread(FILTER, MOST_FILTER_BYTES, 0)
    os.closerange(FILTER, int(os.sysconf("SC_OPEN_MAX")))
    _take_another_number()
    control = socket.socket(fileno=CONTROL)
    os.set_inheritable(CONTROL, False)
    for name in imports:
        importlib.import_module(name)
    program = importlib.import_module(module)
    sys.argv = [str(program.__file__)]
    main_of_child = program.prepare()
    del sys.modules[program.__name__]
    # What lives now lives for ever: a child that counts references to it would copy the pages of all of it.
    gc.collect()
    gc.freeze()
    if why := _unforkable():
        sys.exit(f"What was imported can't be forked: {why}.")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for the forked
    control.sendall(b"ready")
    _serve(control, main_of_child, filter_program)


def _take_another_number() -> None:
    """Libraries notice a fork by a process number that changed, and draw new random numbers then. Ours is the second of
    its namespace, and so is the program of each jail: go on in a child."""
    child = os.fork()
    if child:
        os.closerange(0, int(os.sysconf("SC_OPEN_MAX")))
        os._exit(abs(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))


def _unforkable() -> str:
    """Threads, processes or a device that a child couldn't reach, and would wait for in vain; files that are closed in
    it; or memory that it would share with all others."""
    trial = os.fork()
    if trial == 0:
        os._exit(0)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(trial, 0)
    # Libraries that can be forked have ended their idle threads for it by now.
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208
    if threads > 1:
        return f"{threads - 1} threads of it run"
    if _has_children():
        return "it started processes"
    if opened := _opened():
        return f"it left files open ({', '.join(opened)[:500]})"
    if _shares_memory():
        return "it made memory that forked processes share"
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        return "it has initialized CUDA"
    return ""


def _has_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


def _opened() -> list[str]:
    """What is open beside the standard streams and the control channel."""
    found = []
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        with contextlib.suppress(FileNotFoundError):  # the folder itself, which was open to be listed
            target = os.readlink(f"/proc/self/fd/{name}")  # noqa: PTH115
            if int(name) > CONTROL:
                found.append(target)
    return found


def _shares_memory() -> bool:
    """Whether something is mapped that this process may write to, or may ever ask to, and its forks would too."""
    with open("/proc/self/smaps") as file:  # noqa: PTH123
        flags = (line.split() for line in file if line.startswith("VmFlags:"))
        return any("sh" in each and "mw" in each for each in flags)


def _serve(control: socket.socket, program: Callable[[], None], filter_program: bytes) -> None:
    here = os.open("/proc/self/ns/pid", os.O_RDONLY)
    while True:
        message, descriptors, _flags, _address = socket.recv_fds(control, MOST_BYTES, MOST_DESCRIPTORS)
        if not message:
            return
        request = Request.read(json.loads(message), descriptors)
        try:
            kernel.unshare(kernel.CLONE_NEWPID)
            try:
                pid = os.fork()
                if pid == 0:
                    try:
                        control.close()
                        live(request, program, filter_program)
                    finally:
                        os._exit(FAILED)  # whatever happens, it never serves
            finally:
                kernel.setns(here, kernel.CLONE_NEWPID)
            handle = os.pidfd_open(pid)
        except OSError as error:
            control.sendall(f"{error}".encode())
        else:
            socket.send_fds(control, [b"forked"], [handle])
            os.close(handle)
        for descriptor in descriptors:
            os.close(descriptor)


if __name__ == "__main__":
    main()
