"""Grades one notebook in two jails, and shows an executed one as HTML in a third.

The examiner's jail is trusted and holds the tests; the student's jail holds nothing but their notebook's code. The
worker starts both, passes the student's socket on unread, and checks what the examiner hands back. It never imports
torch and never reads a byte of the student's process.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NoReturn, cast, get_args

from graders.bundle import MIB, LabBundle
from graders.examiner.control import CONTROL_LIMITS, Job, Phase
from graders.report import MAX_REPORT_BYTES, Report, ReportError
from graders.wire import Channel, WireError, dumps, loads
from workers.jails import BEYOND_RUN_S, RENDER_S, LabJails, render_jail
from workers.sandbox.interface import Ending, Jail, JailSpec, Sandbox, SandboxUnavailable
from workers.sandbox.process import memory_file

PHASES: Final = get_args(Phase)

POLL_S: Final = 0.2
MESSAGE_S: Final = 60.0
LAST_WORDS_S: Final = 2.0
MAX_EXECUTED_BYTES: Final = 96 * MIB
MAX_HTML_BYTES: Final = 24 * MIB


class InfrastructureFault(RuntimeError):
    """Ours, never the student's: no attempt is used, no mark is lost. The message is for operators."""


@dataclass(frozen=True)
class Progress:
    """`cell` is the number of the code cell at work, `of` how many code cells there are."""

    phase: Phase
    cell: int
    of: int
    question: str | None


@dataclass(frozen=True)
class Outcome:
    """`executed` is the notebook with the outputs that it gave: .ipynb JSON in nbformat 4.5.

    `killed`: signal 9 ended the student's process, and it was not us who sent it. Its own code can do that, and so can
    an operator, or a machine that runs out of memory.
    """

    report: Report
    executed: bytes
    killed: bool = False


def grade(
    bundle: LabBundle,
    notebook: bytes,
    *,
    seed: int,
    sandbox: Sandbox,
    lab_python: Path,
    cache_dir: Path,
    on_progress: Callable[[Progress], None],
    should_stop: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Grade a normalized notebook. Call it from one thread; the jails die with it.

    Raises:
        InfrastructureFault: the jails, the lab or the examiner failed, or `should_stop` said so.
    """
    began = time.monotonic()
    on_progress(Progress("starting", 0, 0, None))
    job = Job(bundle.lab, bundle.digest, bundle.questions, bundle.limits, seed, notebook)
    try:
        jails = LabJails(bundle, sandbox=sandbox, lab_python=lab_python, cache_dir=cache_dir)
    except (OSError, ValueError, SandboxUnavailable) as error:
        raise InfrastructureFault(f"What the lab's jails show can't be made in {cache_dir}: {error}") from error
    with contextlib.closing(_Grading(job, jails, sandbox, on_progress, should_stop)) as grading:
        report, executed = grading.run()
    total = time.monotonic() - began
    return Outcome(replace(report, timing=replace(report.timing, total_s=total)), executed, grading.killed)


class _Grading:
    """One run: serves the examiner until it is done. `close` ends both jails, whatever happened."""

    def __init__(
        self,
        job: Job,
        jails: LabJails,
        sandbox: Sandbox,
        on_progress: Callable[[Progress], None],
        should_stop: Callable[[], bool],
    ) -> None:
        self._job = job
        self._jails = jails
        self._sandbox = sandbox
        self._on_progress = on_progress
        self._should_stop = should_stop
        self._deadline = time.monotonic() + job.limits.run_s + BEYOND_RUN_S
        self._examiner: Jail | None = None
        self._channel: Channel | None = None
        self._student: Jail | None = None
        self._student_end: socket.socket | None = None
        self.killed = False

    def close(self) -> None:
        for jail in (self._student, self._examiner):
            if jail is not None:
                jail.kill()
        for end in (self._student_end, self._channel):
            if end is not None:
                end.close()

    def run(self) -> tuple[Report, bytes]:
        self._examiner, end = self._start(self._jails.examiner)
        self._channel = Channel(end, CONTROL_LIMITS)
        # The examiner will ask for this one; until then both start side by side.
        self._student, self._student_end = self._start(self._jails.student)
        self._send({"type": "job", **self._job.to_message()})
        while True:
            message = self._receive()
            match message.get("type"):
                case "progress":
                    self._on_progress(_progress(message))
                case "start_respondent":
                    self._pass_student_on()
                case "end_respondent":
                    ending = self._end_student(expected=message.get("expected") is True)
                    self._send({"type": "ending", "kind": ending.kind, "code": ending.code})
                case "done":
                    return self._checked(message.get("report"), message.get("notebook"))
                case "fault":
                    self._fail(f"The examiner gave up: {str(message.get('message'))[-2_000:]}")
                case other:
                    self._fail(f"The examiner sent something unknown: {str(other)[:40]!r}.")

    def _start(self, spec: Callable[[int], JailSpec]) -> tuple[Jail, socket.socket]:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                return self._sandbox.start(spec(theirs.fileno())), ours
            except (SandboxUnavailable, OSError) as error:
                ours.close()
                raise InfrastructureFault(f"A jail can't be started: {error}") from error

    def _pass_student_on(self) -> None:
        if self._student is None or self._student_end is None:
            self._student, self._student_end = self._start(self._jails.student)
        answer = {"type": "respondent", "limits": dict(self._student.limits_in_force)}
        with self._student_end as end:
            self._student_end = None
            self._send(answer, pass_on=(end.fileno(),))

    def _end_student(self, *, expected: bool) -> Ending:
        """What ended the student's process, else our own kill."""
        jail, self._student = self._student, None
        if jail is None:
            return Ending("unknown")
        ending = _ending(jail, LAST_WORDS_S if expected else 0)
        last = ending or jail.kill()
        if last.kind == "lost":
            raise InfrastructureFault(f"A student's jail was lost with what held it.\n{jail.stderr_tail()}".strip())
        self.killed |= ending is not None and (ending.kind, ending.code) == ("signal", signal.SIGKILL)
        return last

    def _send(self, message: Mapping[str, Any], *, pass_on: tuple[int, ...] = ()) -> None:
        assert self._channel is not None  # noqa: S101  set before anything is sent
        try:
            text, blobs = dumps(message, limits=CONTROL_LIMITS)
            self._channel.send(text, blobs, deadline=time.monotonic() + MESSAGE_S, pass_on=pass_on)
        except WireError as error:
            self._fail(f"The examiner doesn't listen: {error}")

    def _receive(self) -> dict[str, Any]:
        assert self._channel is not None  # noqa: S101
        assert self._examiner is not None  # noqa: S101
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        while not poll.poll(POLL_S * 1000):
            if self._should_stop():
                raise InfrastructureFault("The run was stopped from outside.")
            if time.monotonic() > self._deadline:
                self._fail("The examiner took longer than the whole run may take.")
        try:
            text, blobs = self._channel.receive(deadline=time.monotonic() + MESSAGE_S)
            message = loads(text, blobs, limits=CONTROL_LIMITS, arrays=False)
        except WireError as error:
            self._fail(f"The examiner is gone or out of step: {error}")
        if type(message) is not dict:
            self._fail("The examiner sent no message.")
        return message

    def _checked(self, report: Any, executed: Any) -> tuple[Report, bytes]:
        if type(report) is not bytes or len(report) > MAX_REPORT_BYTES:
            self._fail("The examiner's report is too large.")
        if type(executed) is not bytes or len(executed) > MAX_EXECUTED_BYTES:
            self._fail("The executed notebook is too large.")
        try:
            read = Report.from_json(report)
        except ReportError as error:
            self._fail(f"The examiner's report is none: {error}")
        asked = [(question.name, question.points) for question in self._job.questions]
        given = [(question.name, question.max_points) for question in read.questions]
        if (read.lab, read.bundle, given) != (self._job.lab, self._job.bundle, asked):
            self._fail("The examiner's report is about something else.")
        return read, executed

    def _fail(self, sentence: str) -> NoReturn:
        assert self._examiner is not None  # noqa: S101
        ended = self._examiner.ended()
        fate = "" if ended is None else f" It ended by {ended.kind} {ended.code}."
        raise InfrastructureFault(f"{sentence}{fate}\n{self._examiner.stderr_tail()}".strip())


def _ending(jail: Jail, patience_s: float) -> Ending | None:
    """How it ended by itself, if it does within that time: a closed socket comes a moment before the process's end."""
    end = time.monotonic() + patience_s
    while (ending := jail.ended()) is None and time.monotonic() < end:
        time.sleep(0.01)
    return ending


def _progress(message: Mapping[str, Any]) -> Progress:
    phase, cell, of, question = (message.get(name) for name in ("phase", "cell", "of", "question"))
    if phase not in PHASES or type(cell) is not int or type(of) is not int:
        raise InfrastructureFault("The examiner reported progress that is none.")
    return Progress(cast("Phase", phase), cell, of, question if type(question) is str else None)


def render(executed: bytes, *, sandbox: Sandbox, lab_python: Path) -> str:
    """An executed notebook as HTML, not yet sanitized: no page may show it as it is.

    Raises:
        InfrastructureFault: no HTML came out.
    """
    ours, theirs = socket.socketpair()
    source = memory_file(executed)
    spec = render_jail(lab_python, theirs.fileno(), source)
    with ours:
        with theirs:
            try:
                jail = sandbox.start(spec)
            except (SandboxUnavailable, OSError) as error:
                raise InfrastructureFault(f"A jail can't be started: {error}") from error
            finally:
                os.close(source)
        try:
            html = _read_all(ours, time.monotonic() + RENDER_S)
            ending = _ending(jail, LAST_WORDS_S)
            if ending is None or (ending.kind, ending.code) != ("exit", 0) or not html:
                raise InfrastructureFault(f"The notebook can't be rendered ({ending}): {jail.stderr_tail()}")
        finally:
            jail.kill()
    return html.decode("utf-8", "replace")


def _read_all(connection: socket.socket, deadline: float) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while True:
        connection.settimeout(max(deadline - time.monotonic(), 0.01))
        try:
            piece = connection.recv(MIB)
        except OSError as error:
            raise InfrastructureFault(f"The rendered notebook doesn't arrive: {error}.") from error
        if not piece:
            return b"".join(pieces)
        size += len(piece)
        if size > MAX_HTML_BYTES:
            raise InfrastructureFault("The rendered notebook is too large.")
        pieces.append(piece)
