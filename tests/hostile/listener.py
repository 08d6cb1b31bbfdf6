"""Somebody outside who really listens, as a broker or a database does: an attack must not get through to it."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

PLACES: Final = ("port", "abstract", "path")
"""What stands in braces in an attack that listens: a port of 127.0.0.1, an abstract socket's name, a socket file."""


class Listener:
    """`names` says where it listens, by place."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "outside.socket"
        self._sockets = {"port": socket.create_server(("127.0.0.1", 0))}
        abstract = f"outside-listener-{os.getpid()}"
        for place, address in (("abstract", f"\0{abstract}"), ("path", str(self._path))):
            listening = self._sockets[place] = socket.socket(socket.AF_UNIX)
            listening.bind(address)
            listening.listen()
        port = str(self._sockets["port"].getsockname()[1])
        self.names: Mapping[str, str] = {"port": port, "abstract": abstract, "path": str(self._path)}

    def callers(self) -> list[str]:
        """The places at which somebody got through. Nobody needs to answer for that: the kernel keeps who came."""
        found = []
        for place, listening in self._sockets.items():
            listening.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                listening.accept()[0].close()
                found.append(place)
        return found

    def close(self) -> None:
        for listening in self._sockets.values():
            listening.close()
        self._path.unlink(missing_ok=True)


@contextlib.contextmanager
def listening(folder: Path) -> Iterator[Listener]:
    with contextlib.closing(Listener(folder)) as listener:
        yield listener
