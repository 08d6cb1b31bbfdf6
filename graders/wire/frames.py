"""Messages over a stream socket: a fixed header with two lengths, JSON, blobs."""

from __future__ import annotations

import array
import contextlib
import os
import select
import socket
import struct
import time
from collections.abc import Sequence
from typing import Final

from graders.wire.limits import Blob, ChannelClosed, DeadlinePassed, Limits, WireError

HEADER: Final = struct.Struct(">4sIQ")
MAGIC: Final = b"RPW1"
CHUNK: Final = 1024 * 1024
FEW_DESCRIPTORS: Final = 4


class Channel:
    """One end of a socket. Not for threads: one message at a time in each direction.

    Deadlines are readings of `time.monotonic()`; None waits for ever, which only the side that has nothing to lose
    may do. After any WireError the stream is out of step: close it. File descriptors that come along are dropped by
    the kernel unless `takes_descriptors`.
    """

    def __init__(
        self, connection: socket.socket, limits: Limits | None = None, *, takes_descriptors: bool = False
    ) -> None:
        self.socket = connection
        self.limits = limits or Limits()
        self.takes_descriptors = takes_descriptors
        self.descriptors: list[int] = []
        connection.setblocking(False)

    def fileno(self) -> int:
        return self.socket.fileno()

    def close(self) -> None:
        self.socket.close()
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors.clear()

    def send(
        self, text: bytes, blobs: Sequence[Blob] = (), *, deadline: float | None = None, pass_on: Sequence[int] = ()
    ) -> None:
        """Send one message; `pass_on` are file descriptors that go with it.

        Raises:
            ChannelClosed: nobody reads.
            DeadlinePassed: the other side doesn't read in time.
        """
        head = HEADER.pack(MAGIC, len(text), sum(map(len, blobs)))
        first = head + text
        sent = 0
        if pass_on:
            self._wait(select.POLLOUT, deadline)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", pass_on))]
            try:
                sent = self.socket.sendmsg([first], rights)
            except OSError as error:
                raise ChannelClosed(f"Nobody reads: {error}.") from error
        self._write(memoryview(first)[sent:], deadline)
        for blob in blobs:
            self._write(memoryview(blob), deadline)

    def receive(self, *, deadline: float | None = None) -> tuple[Blob, Blob]:
        """The JSON and the blobs of the next message; passed descriptors are appended to `descriptors`.

        Raises:
            ChannelClosed: the other side is gone.
            DeadlinePassed: no whole message came in time.
            WireError: what came is no message, or a larger one than the limits allow.
        """
        magic, text_bytes, blob_bytes = HEADER.unpack(self._read(HEADER.size, deadline))
        if magic != MAGIC:
            raise WireError("What came is no message.")
        if text_bytes > self.limits.json_bytes or blob_bytes > self.limits.blob_bytes:
            raise WireError(f"A message of {text_bytes} + {blob_bytes} bytes is larger than allowed.")
        return self._read(text_bytes, deadline), self._read(blob_bytes, deadline)

    def _read(self, count: int, deadline: float | None) -> bytearray:
        # Memory grows with what has arrived, never with what a header promises.
        buffer = bytearray()
        while len(buffer) < count:
            self._wait(select.POLLIN, deadline)
            want = min(CHUNK, count - len(buffer))
            try:
                piece = self._receive_some(want)
            except BlockingIOError:
                continue
            except OSError as error:
                raise ChannelClosed(f"The other side is gone: {error}.") from error
            if not piece:
                raise ChannelClosed("The other side is gone.")
            buffer += piece
        return buffer

    def _receive_some(self, want: int) -> bytes:
        if not self.takes_descriptors:
            return self.socket.recv(want)
        room = socket.CMSG_SPACE(4 * FEW_DESCRIPTORS)
        piece, ancillary, _flags, _address = self.socket.recvmsg(want, room, socket.MSG_CMSG_CLOEXEC)
        self._take_descriptors(ancillary)
        return piece

    def _take_descriptors(self, ancillary: Sequence[tuple[int, int, bytes]]) -> None:
        for level, kind, data in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                numbers = array.array("i")
                numbers.frombytes(data[: len(data) - len(data) % numbers.itemsize])
                self.descriptors.extend(numbers)
        while len(self.descriptors) > FEW_DESCRIPTORS:
            with contextlib.suppress(OSError):
                os.close(self.descriptors.pop())

    def _write(self, data: memoryview, deadline: float | None) -> None:
        while data:
            self._wait(select.POLLOUT, deadline)
            try:
                data = data[self.socket.send(data[:CHUNK]) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise ChannelClosed(f"Nobody reads: {error}.") from error

    def _wait(self, event: int, deadline: float | None) -> None:
        poll = select.poll()
        try:
            poll.register(self.socket, event)
        except (OSError, ValueError) as error:
            raise ChannelClosed("The channel is closed.") from error
        while True:
            patience = None if deadline is None else deadline - time.monotonic()
            if patience is not None and patience <= 0:
                raise DeadlinePassed("The other side did not answer in time.")
            if poll.poll(None if patience is None else patience * 1000 + 1):
                return
