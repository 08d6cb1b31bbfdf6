"""One conversation with one respondent. Every request has a deadline; every reply is untrusted.

A reply that is late, malformed or about something else ends the conversation: after that the stream can't be
trusted to be in step. `lost` then says why, and every further request raises RespondentLost.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from graders.examiner.watchdog import Halt, limited
from graders.wire import (
    Blob,
    Channel,
    ChannelClosed,
    DeadlinePassed,
    Decoder,
    Encoder,
    TooLarge,
    WireError,
    dumps,
    loads,
)

GRACE_S: Final = 5.0
START_S: Final = 60.0
MOST_NESTED_CALLS: Final = 20
MOST_RECEIVED: Final = 2 * 1024**3
TEXT_WEIGHT: Final = 20  # what a byte of JSON may become in memory, roughly; a byte of a blob
BLOB_WEIGHT: Final = 2
MOST_RELEASED: Final = 100_000  # in one request, so that it never gets too large to be sent
LARGEST_NUMBER: Final = 2**53  # of an object, a cell or a line
LEFT_OUT: Final = {
    "output_type": "stream",
    "name": "stderr",
    "text": "The outputs of this cell are left out: gathering them took too long.\n",
}
CALL_FAILED: Final = "the function that the check passed could not do that with these arguments."


class RespondentLost(Halt):
    """The student's process is gone, or can't be believed any longer."""


class StudentTimeout(Halt):
    """The student's code took too long; its process lives on."""


class StudentExcess(Halt):
    """The student's code gave one test more than the examiner's memory is meant for."""


@dataclass(frozen=True)
class Loss:
    kind: Literal["closed", "late", "garbled"]
    detail: str


@dataclass(frozen=True)
class StudentFailure:
    """An exception in the student's process. `cell` and `line` are 0 where no line of a cell was involved."""

    name: str
    message: str
    cell: int
    line: int
    source: str
    timed_out: bool

    def __str__(self) -> str:
        told = f"{self.name}: {self.message}" if self.message else self.name
        if self.cell:
            told += f" (cell {self.cell}, line {self.line}: {self.source})"
        return told


@dataclass(frozen=True)
class CellRun:
    outputs: list[Any]
    failure: StudentFailure | None
    timed_out: bool
    seconds: float


class Session:
    """`until` is the reading of time.monotonic() at which what runs now must be over; `sentence` what to say then.
    `received` is what the values of one test weigh together; `reticent`: an error in a function of the test's tells
    the student's code nothing but its class. Whoever starts a test sets both."""

    def __init__(self, channel: Channel) -> None:
        self.received = 0
        self.reticent = True
        self.lost: Loss | None = None
        self.until = time.monotonic() + START_S
        self.sentence = ""
        self.read_object: Callable[[int, str, bool], object] | None = None
        self.write_object: Callable[[Encoder, object], Any] | None = None
        self.raise_failure: Callable[[StudentFailure], None] | None = None
        self.callbacks: dict[int, Callable[..., Any]] = {}
        self._channel = channel
        self._released: list[int] = []
        self._depth = 0

    def close(self) -> None:
        self._channel.close()

    def let_go(self, number: int) -> None:
        """The next request will tell the respondent that nobody here knows this object any longer."""
        self._released.append(number)

    def give_up(self, detail: str) -> RespondentLost:
        """The respondent said something impossible; to be raised."""
        return self._lose("garbled", detail)

    def execute(self, number: int, source: str, *, output_bytes: int) -> CellRun:
        """Run a cell. Raises RespondentLost."""
        self.received = 0
        self.callbacks.clear()
        began = time.monotonic()
        try:
            with limited(max(self.until - time.monotonic(), 0.0) + 2 * GRACE_S, self.sentence):
                value = self.request("execute", number=number, source=source, output_bytes=output_bytes)
        except RespondentLost:
            raise
        except StudentTimeout:
            # The cell may have ended by itself; its time was over while what it shows was gathered.
            return CellRun(outputs=[dict(LEFT_OUT)], failure=None, timed_out=True, seconds=time.monotonic() - began)
        except (Exception, Halt):  # noqa: BLE001
            # An error of the student's is part of the result; a cell that has none was not answered for by us.
            raise self._lose("garbled", "The result of a cell could not be read.") from None
        try:
            outputs, failure = value["outputs"], value["error"]
            run = CellRun(
                outputs=_typed(outputs, list),
                failure=None if failure is None else _failure(failure),
                timed_out=_typed(value["timed_out"], bool),
                seconds=_typed(value["seconds"], float),
            )
        except (WireError, TypeError, LookupError) as error:
            raise self._lose("garbled", str(error)) from None
        return run

    def request(self, operation: str, **fields: Any) -> Any:
        """The value of the reply.

        Raises:
            RespondentLost, StudentTimeout, StudentExcess: see there.
            TypeError: a field holds something that can't be sent.
            Exception: whatever `raise_failure` makes of the student's exception.
        """
        if self.lost is not None:
            raise RespondentLost(self.lost.detail)
        number = secrets.randbits(60)
        limit = max(self.until - time.monotonic(), 0.01)
        released, self._released = self._released[:MOST_RELEASED], self._released[MOST_RELEASED:]
        try:
            message = dumps(
                {
                    "id": number,
                    "op": operation,
                    "limit": limit,
                    "sentence": self.sentence,
                    "release": released,
                    **fields,
                },
                fallback=self.write_object,
            )
        except TooLarge as error:
            raise TypeError(f"A value of the test's is too large to be handed over: {error}") from error
        reply = self._exchange(message, number, time.monotonic() + limit + GRACE_S)
        if self.received > MOST_RECEIVED:
            raise StudentExcess("The values that your code gave this check are too large together.")
        if "error" not in reply:
            return reply["value"]
        try:
            failure = _failure(reply["error"])
        except (WireError, TypeError, LookupError) as error:
            raise self._lose("garbled", str(error)) from None
        if failure.timed_out:
            raise StudentTimeout(self.sentence)
        assert self.raise_failure is not None  # noqa: S101  set by whoever opened the session
        self.raise_failure(failure)
        raise AssertionError("unreachable")

    def _exchange(self, message: tuple[bytes, list[Blob]], number: int, deadline: float) -> dict[str, Any]:
        try:
            self._channel.send(*message, deadline=deadline)
            while True:
                reply = self._receive(number, deadline)
                if "callback" not in reply:
                    return reply
                self._call_back(reply, number, deadline)
        except DeadlinePassed as error:
            raise self._lose("late", str(error)) from None
        except ChannelClosed as error:
            raise self._lose("closed", str(error)) from None
        except WireError as error:
            raise self._lose("garbled", str(error)) from None
        except BaseException:
            # A test's own time limit, say: the reply is still to come, and nobody will wait for it.
            self.lost = self.lost or Loss("late", "The exchange was broken off.")
            raise

    def _receive(self, number: int, deadline: float) -> dict[str, Any]:
        try:
            text, blobs = self._channel.receive(deadline=deadline)
        except MemoryError:
            raise WireError("A reply is larger than the memory left here.") from None
        self.received += TEXT_WEIGHT * len(text) + BLOB_WEIGHT * len(blobs)
        reply = loads(text, blobs, extras={"r": self._read_object})
        if type(reply) is not dict or type(reply.get("id")) is not int or reply["id"] != number:
            raise WireError("A reply answers another question.")
        if not {"value", "error", "callback"} & reply.keys():
            raise WireError("A reply has no content.")
        return reply

    def _read_object(self, _decoder: Decoder, items: list[Any]) -> object:
        number, kind, callable_there = items
        if self.read_object is None or (type(number), type(kind), type(callable_there)) != (int, str, bool):
            raise WireError("A reference has the wrong shape.")
        if not 0 < number < LARGEST_NUMBER:
            raise WireError("A reference has an impossible number.")
        return self.read_object(number, kind, callable_there)

    def _call_back(self, reply: dict[str, Any], number: int, deadline: float) -> None:
        callback, args, kwargs = reply["callback"], reply.get("args"), reply.get("kwargs")
        if type(args) is not tuple or type(kwargs) is not dict or any(type(key) is not str for key in kwargs):
            raise WireError("A call has the wrong shape.")
        if type(callback) is not int or callback not in self.callbacks or self._depth >= MOST_NESTED_CALLS:
            raise WireError("A call goes to a function that no test passed.")
        if self.received > MOST_RECEIVED:
            raise WireError("The values that a function of the test's was given are too large together.")
        self._depth += 1
        try:
            answer = self._answer(number, self.callbacks[callback](*args, **kwargs), None)
        except Exception as error:  # noqa: BLE001  the student's code may handle it
            told = CALL_FAILED if self.reticent else str(error)[:2_000]
            answer = self._answer(number, None, (type(error).__name__, told))
        finally:
            self._depth -= 1
        self._channel.send(*answer, deadline=deadline)

    def _answer(self, number: int, value: object, error: tuple[str, str] | None) -> tuple[bytes, list[Blob]]:
        message = {"id": number, "op": "answer", "release": [], "value": value, "error": error}
        return dumps(message, fallback=self.write_object)

    def _lose(self, kind: Literal["closed", "late", "garbled"], detail: str) -> RespondentLost:
        self.lost = Loss(kind, detail)
        return RespondentLost(detail)


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise WireError(f"A {kind.__name__} was due.")
    return value


def _number(value: Any) -> int:
    if not 0 <= _typed(value, int) < LARGEST_NUMBER:
        raise WireError("A place in the notebook is impossible.")
    return int(value)


def _failure(raw: Any) -> StudentFailure:
    return StudentFailure(
        name=_typed(raw["name"], str)[:200],
        message=_typed(raw["message"], str)[:4_000],
        cell=_number(raw["cell"] or 0),
        line=_number(raw["line"] or 0),
        source=_typed(raw["source"], str)[:300],
        timed_out=_typed(raw["timed_out"], bool),
    )
