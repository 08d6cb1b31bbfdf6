"""`python -m forkserver MODULE [IMPORT ...]`: fork processes that run MODULE, as descriptor 3 asks for them.

The imports are made once, here, and MODULE.prepare() gives what each child calls. Neither may run a parallel
operation or initialize a device: such a process can't be forked any more.
"""

from __future__ import annotations

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
from .child import Request, live

CONTROL: Final = 3
FILTER: Final = 4
MOST_BYTES: Final = 65_536
MOST_DESCRIPTORS: Final = 32
MOST_FILTER_BYTES: Final = 1024 * 1024


def main() -> None:
    module, *imports = sys.argv[1:]
    filter_program = os.pread(FILTER, MOST_FILTER_BYTES, 0)
    os.closerange(FILTER, int(os.sysconf("SC_OPEN_MAX")))
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
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for the forked
    if why := _unforkable():
        sys.exit(f"What was imported can't be forked: {why}.")
    control.sendall(b"ready")
    _serve(control, main_of_child, filter_program)


def _unforkable() -> str:
    """Threads that outlive a fork, or a device in use: a child would wait for ever for what it can't reach."""
    if os.fork() == 0:
        os._exit(0)
    # Libraries that can be forked have ended their idle threads for it by now.
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208
    if threads > 1:
        return f"{threads - 1} threads of it run"
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        return "it has initialized CUDA"
    return ""


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
                    control.close()
                    live(request, program, filter_program)
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
