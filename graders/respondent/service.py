"""Answers the examiner, one request at a time, whatever the student's code does in between."""

from __future__ import annotations

import builtins
import fcntl
import linecache
import os
import re
import socket
import sys
import threading
from collections.abc import Callable
from time import monotonic  # by value: a notebook may put a clock of its own into the module
from types import TracebackType
from typing import Any, Final

from graders.respondent.clock import Clock, TimeLimit
from graders.respondent.objects import Objects
from graders.respondent.outputs import install
from graders.respondent.shell import Shell
from graders.wire import Blob, Channel, ChannelClosed, TooLarge, dumps, loads

MOST_MESSAGE_CHARS: Final = 2_000
MOST_LINE_CHARS: Final = 300
OWN_DESCRIPTOR_FROM: Final = 100
CELL_FILE: Final = re.compile(r"<cell (\d+)>")


class Respondent:
    """`shell` may have been made long before, in a process that this one was forked from."""

    def __init__(self, channel: Channel, shell: Shell) -> None:
        self._channel = channel
        self._process = os.getpid()
        self._clock = Clock()
        self._objects = Objects(self._ask_back)
        self._shell = shell
        self._collector = shell.collector
        self._capture = install(self._collector)
        self._asking: int | None = None
        self._operations: dict[str, Callable[[dict[str, Any]], Any]] = {
            "hello": lambda _message: "ready",
            "execute": self._execute,
            "get": self._get,
            "getattr": lambda message: getattr(message["of"], message["name"]),
            "call": lambda message: message["of"](*message["args"], **message["kwargs"]),
            "index": lambda message: message["of"][message["key"]],
            "iterate": lambda message: iter(message["of"]),
            "next": lambda message: _next(message["of"]),
            "len": lambda message: len(message["of"]),
        }
        # The student's modules are found in the working directory, as in a notebook; ours already are loaded.
        sys.path.insert(0, "")

    def serve(self) -> None:
        """Until the examiner hangs up."""
        try:
            while True:
                message = self._receive()
                if message["op"] != "answer":  # a time limit broke off what waited for it
                    self._answer(message)
        except ChannelClosed:
            return

    def _receive(self) -> dict[str, Any]:
        text, blobs = self._channel.receive()
        message: dict[str, Any] = loads(text, blobs, extras=self._objects.extras)
        return message

    def _answer(self, message: dict[str, Any]) -> None:
        number, before = message["id"], self._asking
        self._asking = number
        self._objects.release(message["release"])
        operation = self._operations[message["op"]]
        try:
            reply = self._clock.limited(
                message["limit"], message["sentence"], lambda: self._pack({"id": number, "value": operation(message)})
            )
        except TooLarge as error:
            reply = self._pack({"id": number, "error": _error("TooLarge", str(error))})
        except BaseException as error:  # noqa: BLE001  whatever the student's code raises is an answer
            reply = self._pack({"id": number, "error": self._explain(error)})
        self._asking = before
        if os.getpid() != self._process:
            # The student's code forked, and this is the child: it has no business on our channel.
            os._exit(0)
        if message["op"] != "execute":
            self._capture.take(0)
        with self._clock.held():
            self._channel.send(*reply)

    def _pack(self, message: dict[str, Any]) -> tuple[bytes, list[Blob]]:
        return dumps(message, fallback=self._objects.write)

    def _execute(self, message: dict[str, Any]) -> dict[str, Any]:
        """Run a cell; its errors are part of the result, and so is its having run too long."""
        number, limit = message["number"], message["output_bytes"]
        self._collector.begin(limit)
        self._capture.take(0)
        self._shell.execution_count = self._shell.cell_number = number
        started = monotonic()
        error: BaseException | None = None
        try:
            result = self._shell.run_cell(message["source"], store_history=True, cell_id=None)
            error = result.error_before_exec or result.error_in_exec
        except TimeLimit as late:
            error = late
        seconds = monotonic() - started
        self._collector.stream("stdout", self._capture.take(limit))
        return {
            "outputs": self._fitting(self._collector.take()),
            "error": None if error is None else self._explain(error),
            "timed_out": self._clock.rang,
            "seconds": seconds,
        }

    def _fitting(self, outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What a cell shows may be too intricate to be sent; that it ran is still to be said."""
        try:
            self._pack({"outputs": outputs})
        except TooLarge as error:
            text = f"The outputs of this cell are left out: {error}\n"
            return [{"output_type": "stream", "name": "stderr", "text": text}]
        return outputs

    def _get(self, message: dict[str, Any]) -> tuple[bool, Any]:
        name, names = message["name"], self._shell.user_ns
        hidden = self._shell.user_ns_hidden
        if name not in names or (name in hidden and hidden[name] is names[name]):
            return False, None
        return True, names[name]

    def _explain(self, error: BaseException) -> dict[str, Any]:
        try:
            text = str(error)
        except BaseException:  # noqa: BLE001  a student's __str__ may raise anything
            text = ""
        cell, line, source = _place(error.__traceback__)
        if isinstance(error, SyntaxError) and cell is None:
            match = CELL_FILE.search(str(error.filename))
            if match:
                cell, line, source = int(match[1]), error.lineno or 0, (error.text or "").strip()
                text = f"{error.msg} (line {line})"
        found = _error(type(error).__name__, text)
        found.update(cell=cell, line=line, source=source[:MOST_LINE_CHARS], timed_out=isinstance(error, TimeLimit))
        return found

    def _ask_back(self, callback: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function of the examiner's; while it runs it may ask us in turn."""
        if threading.current_thread() is not threading.main_thread() or os.getpid() != self._process:
            raise RuntimeError("The function that a test passed can be called only from the notebook's main thread.")
        if self._asking is None:
            raise RuntimeError("The function that a test passed can be called only while the test runs.")
        text, blobs = self._pack({"id": self._asking, "callback": callback, "args": args, "kwargs": kwargs})
        with self._clock.held():
            self._channel.send(text, blobs)
            message = self._receive()
        while message["op"] != "answer":
            self._answer(message)
            with self._clock.held():
                message = self._receive()
        if message["error"] is not None:
            raise _as_exception(*message["error"])
        return message["value"]


def _next(items: Any) -> tuple[bool, Any]:
    try:
        return True, next(items)
    except StopIteration:
        return False, None


def _error(name: str, message: str) -> dict[str, Any]:
    return {
        "name": name[:200],
        "message": message[:MOST_MESSAGE_CHARS],
        "cell": None,
        "line": 0,
        "source": "",
        "timed_out": False,
    }


def _as_exception(name: str, message: str) -> Exception:
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        try:
            return kind(message)
        except TypeError:
            pass
    return RuntimeError(f"{name}: {message}")


def _place(traceback: TracebackType | None) -> tuple[int | None, int, str]:
    """The last of the student's own lines in a traceback: cell, line, text."""
    place: tuple[int | None, int, str] = (None, 0, "")
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        match = CELL_FILE.fullmatch(name)
        if match:
            place = (int(match[1]), traceback.tb_lineno, linecache.getline(name, traceback.tb_lineno).strip())
        traceback = traceback.tb_next
    return place


def take_channel(descriptor: int) -> Channel:
    """Move the channel out of the way of student code that closes low descriptors, and off what children inherit."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, OWN_DESCRIPTOR_FROM)
    os.close(descriptor)
    return Channel(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, moved))


__all__ = ["Respondent", "Shell", "take_channel"]
