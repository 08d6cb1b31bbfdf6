"""A respondent that lies, falls silent or talks out of turn ends its conversation, never the examiner."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest

from graders.examiner import session as module
from graders.examiner.session import RespondentLost, Session
from graders.wire import Channel, dumps, loads

Forge = Callable[[Channel, int], None]


@pytest.fixture
def against(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Forge], Session]]:
    """A session whose other side reads one request and then does what the test says."""
    monkeypatch.setattr(module, "GRACE_S", 0.2)
    ours, theirs = socket.socketpair()
    threads: list[Thread] = []

    def start(forge: Forge) -> Session:
        def serve() -> None:
            channel = Channel(theirs)
            number = loads(*channel.receive())["id"]
            forge(channel, number)

        threads.append(Thread(target=serve))
        threads[0].start()
        session = Session(Channel(ours))
        session.until = time.monotonic() + 0.3
        return session

    yield start
    for thread in threads:
        thread.join()
    ours.close()
    theirs.close()


def reply(**fields: Any) -> Forge:
    return lambda channel, number: channel.send(*dumps({"id": number, **fields}))


@pytest.mark.parametrize(
    ("forge", "kind"),
    [
        (lambda channel, number: channel.send(*dumps({"id": number + 1, "value": 1})), "garbled"),
        (lambda channel, number: channel.send(*dumps({"id": True, "value": 1})), "garbled"),
        (lambda channel, number: channel.send(*dumps([number, 1])), "garbled"),
        (lambda channel, number: channel.send(b"{}"), "garbled"),
        (lambda channel, number: channel.send(b'["na","<f8",[1000],8]', [b"x" * 8]), "garbled"),
        (lambda channel, number: channel.socket.send(b"HTTP/1.1 200 OK and more"), "garbled"),
        (lambda channel, number: channel.socket.shutdown(socket.SHUT_RDWR), "closed"),
        (lambda channel, number: None, "late"),
        (lambda channel, number: channel.socket.send(b"RPW1"), "late"),
        (reply(), "garbled"),
        (reply(error="text"), "garbled"),
        (reply(error={"name": 1}), "garbled"),
        (
            reply(error={"name": "E", "message": "m", "cell": "1", "line": 0, "source": "", "timed_out": False}),
            "garbled",
        ),
        (reply(callback=1, args=(), kwargs={}), "garbled"),
        (reply(callback=1, args=[], kwargs={}), "garbled"),
    ],
)
def test_a_wrong_reply_ends_the_conversation(against: Callable[[Forge], Session], forge: Forge, kind: str) -> None:
    session = against(forge)
    with pytest.raises(RespondentLost):
        session.request("get", name="x")
    assert session.lost is not None
    assert session.lost.kind == kind
    with pytest.raises(RespondentLost):
        session.request("get", name="x")


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"outputs": []},
        {"outputs": "none", "error": None, "timed_out": False, "seconds": 0.1},
        {"outputs": [], "error": None, "timed_out": 1, "seconds": 0.1},
    ],
)
def test_a_cell_result_of_another_shape_ends_the_conversation(against: Callable[[Forge], Session], value: Any) -> None:
    with pytest.raises(RespondentLost):
        against(reply(value=value)).execute(1, "", output_bytes=10)


def test_a_test_that_is_broken_off_leaves_no_half_conversation(against: Callable[[Forge], Session]) -> None:
    """A late reply to the question before must not be taken for the answer to the next."""

    def call_back(channel: Channel, number: int) -> None:
        channel.send(*dumps({"id": number, "callback": 7, "args": (), "kwargs": {}}))

    session = against(call_back)

    def stop() -> None:
        raise KeyboardInterrupt

    session.callbacks[7] = stop
    with pytest.raises(KeyboardInterrupt):
        session.request("call")
    assert session.lost is not None
