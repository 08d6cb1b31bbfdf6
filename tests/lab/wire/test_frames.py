"""Frames over a socket: lengths are checked before memory is taken, and nobody waits for ever."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from graders.wire import Channel, ChannelClosed, DeadlinePassed, Limits, WireError
from graders.wire.frames import HEADER, MAGIC


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, Channel]]:
    ours, theirs = socket.socketpair()
    channel = Channel(ours, Limits(json_bytes=1000, blob_bytes=10_000_000))
    yield theirs, channel
    channel.close()
    theirs.close()


def soon() -> float:
    return time.monotonic() + 0.05


def test_a_message_arrives_whole(pair: tuple[socket.socket, Channel]) -> None:
    theirs, channel = pair
    blob = os.urandom(5_000_000)
    sender = threading.Thread(target=lambda: Channel(theirs).send(b"[1]", [blob[:10], blob[10:]]))
    sender.start()
    assert channel.receive() == (b"[1]", blob)
    sender.join()


def test_a_header_that_promises_too_much_is_refused(pair: tuple[socket.socket, Channel]) -> None:
    theirs, channel = pair
    theirs.send(HEADER.pack(MAGIC, 10, 2**60))
    with pytest.raises(WireError, match="larger than allowed"):
        channel.receive(deadline=soon())


def test_bytes_without_our_mark_are_refused(pair: tuple[socket.socket, Channel]) -> None:
    theirs, channel = pair
    theirs.send(b"\0" * 100)
    with pytest.raises(WireError, match="no message"):
        channel.receive(deadline=soon())


def test_silence_ends_at_the_deadline(pair: tuple[socket.socket, Channel]) -> None:
    with pytest.raises(DeadlinePassed):
        pair[1].receive(deadline=soon())


def test_half_a_message_ends_at_the_deadline(pair: tuple[socket.socket, Channel]) -> None:
    theirs, channel = pair
    theirs.send(HEADER.pack(MAGIC, 10, 5_000_000) + b"12345")
    with pytest.raises(DeadlinePassed):
        channel.receive(deadline=soon())


def test_a_reader_that_never_reads_ends_at_the_deadline(pair: tuple[socket.socket, Channel]) -> None:
    with pytest.raises(DeadlinePassed):
        pair[1].send(b"1", [bytes(9_000_000)], deadline=soon())


def test_a_closed_end_is_told_at_once(pair: tuple[socket.socket, Channel]) -> None:
    theirs, channel = pair
    theirs.close()
    with pytest.raises(ChannelClosed):
        channel.receive()


def test_a_descriptor_is_taken_only_where_one_is_expected(pair: tuple[socket.socket, Channel]) -> None:
    theirs, channel = pair
    sender = Channel(theirs)
    sender.send(b"[1]", pass_on=[0])
    channel.receive()
    assert channel.descriptors == []
    channel.takes_descriptors = True
    sender.send(b"[2]", pass_on=[0])
    assert channel.receive() == (b"[2]", b"")
    assert len(channel.descriptors) == 1
