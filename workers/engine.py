"""Grades one notebook in two jails, and shows an executed one as HTML in a third.

The examiner's jail is trusted and holds the tests; the student's jail holds nothing but their notebook's code. The
worker starts both, passes the student's socket on unread, and checks what the examiner hands back. It never imports
torch and never reads a byte of the student's process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import math
import os
import select
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final, NoReturn, cast, get_args

import graders
from graders.bundle import GIB, MIB, LabBundle
from graders.examiner.control import CONTROL_LIMITS, EXAMINER_EXTRA_BYTES, Job, Phase
from graders.report import MAX_REPORT_BYTES, Report, ReportError
from graders.wire import Channel, WireError, dumps, loads
from workers import prepared
from workers.sandbox.bubblewrap import USER
from workers.sandbox.interface import Ending, Forkable, Jail, JailLimits, JailSpec, Mount, Sandbox, SandboxUnavailable
from workers.sandbox.process import memory_file

logger = logging.getLogger(__name__)

HOME: Final = "/opt/ridgepoint"
LIBRARY: Final = f"{HOME}/library"
GRADERS: Final = Path(graders.__file__).parent
PREPARED: Final = f"{HOME}/prepared"
STUDENT_SIDE: Final = ("__init__.py", "prepared.py", "wire", "respondent")
"""All of our code that a student's jail shows."""
PHASES: Final = get_args(Phase)

POLL_S: Final = 0.2
MESSAGE_S: Final = 60.0
BEYOND_RUN_S: Final = 300.0
"""How much longer than the student's own time a run may take: starts, restarts, last tests."""
LAST_WORDS_S: Final = 2.0
MAX_EXECUTED_BYTES: Final = 96 * MIB

RENDER_S: Final = 90.0
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
    specs = Specs(bundle, sandbox=sandbox, lab_python=lab_python, cache_dir=cache_dir)
    with contextlib.closing(_Grading(job, specs, sandbox, on_progress, should_stop)) as grading:
        report, executed = grading.run()
    total = time.monotonic() - began
    return Outcome(replace(report, timing=replace(report.timing, total_s=total)), executed, grading.killed)


class Specs:
    """The two jails of one bundle. Raises InfrastructureFault when what they show can't be made."""

    def __init__(self, bundle: LabBundle, *, sandbox: Sandbox, lab_python: Path, cache_dir: Path) -> None:
        limits = bundle.limits
        cpu_s = math.ceil((limits.run_s + BEYOND_RUN_S) * (os.cpu_count() or 1))
        shared = _shared(bundle, sandbox, lab_python, cache_dir)
        common: dict[str, Any] = {"files": bundle.files, "env": _environment()}
        self._student = JailSpec(
            name="student",
            argv=(str(lab_python), "-P", "-m", "graders.respondent", *bundle.imports),
            limits=JailLimits(limits.memory_bytes, limits.pids, limits.tmp_bytes, cpu_s),
            mounts=(*(Mount(GRADERS / name, f"{HOME}/graders/{name}") for name in STUDENT_SIDE), *shared),
            forkable=Forkable("graders.respondent.__main__", bundle.imports),
            **common,
        )
        self._examiner = JailSpec(
            name="examiner",
            argv=(str(lab_python), "-P", "-m", "graders.examiner", *bundle.imports),
            limits=JailLimits(
                limits.memory_bytes + EXAMINER_EXTRA_BYTES, max(limits.pids, 256), limits.tmp_bytes, cpu_s
            ),
            mounts=(Mount(GRADERS, f"{HOME}/graders"), *shared),
            workdir="/home/examiner",
            forkable=Forkable("graders.examiner.__main__", bundle.imports),
            **common,
        )

    @property
    def kinds(self) -> tuple[JailSpec, JailSpec]:
        """For who wants to have such jails ready."""
        return self._student, self._examiner

    def student(self, descriptor: int) -> JailSpec:
        return replace(self._student, descriptors=(descriptor,))

    def examiner(self, descriptor: int) -> JailSpec:
        return replace(self._examiner, descriptors=(descriptor,))


def _shared(bundle: LabBundle, sandbox: Sandbox, lab_python: Path, cache_dir: Path) -> tuple[Mount, ...]:
    """What both jails show of a lab, read-only: its library, and what was compiled for it."""
    try:
        folder = _library(bundle.library, cache_dir)
        library = None if folder is None else Mount(folder, LIBRARY)
        made = prepared.folder_of(
            bundle, library, env=_environment(), sandbox=sandbox, lab_python=lab_python, cache_dir=cache_dir
        )
    except (OSError, SandboxUnavailable) as error:
        raise InfrastructureFault(f"What the lab's jails show can't be written to {cache_dir}: {error}.") from error
    except prepared.PrimeFailed as error:
        # Everybody compiles for themselves then; who publishes the lab is told.
        logger.error("engine.prime-failed lab=%s reason=%s", bundle.lab, error)
        made = None
    return (*(() if library is None else (library,)), *(() if made is None else (Mount(made, PREPARED),)))


def _environment() -> dict[str, str]:
    return {
        "PYTHONPATH": f"{HOME}:{LIBRARY}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "USER": USER,  # compilers name their caches by it, and a fork server has another user's number
        "TMPDIR": "/tmp",  # noqa: S108  the jail's own
        "XDG_CACHE_HOME": "/tmp/.cache",  # noqa: S108
        "IPYTHONDIR": "/tmp/.ipython",  # noqa: S108
        "MPLCONFIGDIR": "/tmp/.matplotlib",  # noqa: S108
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }


class _Grading:
    """One run: serves the examiner until it is done. `close` ends both jails, whatever happened."""

    def __init__(
        self,
        job: Job,
        specs: Specs,
        sandbox: Sandbox,
        on_progress: Callable[[Progress], None],
        should_stop: Callable[[], bool],
    ) -> None:
        self._job = job
        self._specs = specs
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
        self._examiner, end = self._start(self._specs.examiner)
        self._channel = Channel(end, CONTROL_LIMITS)
        # The examiner will ask for this one; until then both start side by side.
        self._student, self._student_end = self._start(self._specs.student)
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
            self._student, self._student_end = self._start(self._specs.student)
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
        killed = jail.kill()
        if ending is not None and ending.kind == "lost":
            raise InfrastructureFault(f"A student's jail was lost with what held it.\n{jail.stderr_tail()}".strip())
        self.killed |= ending is not None and (ending.kind, ending.code) == ("signal", signal.SIGKILL)
        return ending or killed

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


def _library(sources: Mapping[str, str], cache_dir: Path) -> Path | None:
    """A folder with these sources, named by what is in it; made once."""
    if not sources:
        return None
    digest = hashlib.sha256(json.dumps(sorted(sources.items())).encode()).hexdigest()
    folder = cache_dir / "library" / digest
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        for name, source in sources.items():
            if ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
                raise InfrastructureFault(f"The lab's library has a file outside of itself: {name[:80]!r}.")
            target = made / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source, encoding="utf-8")
        _make_readable(made)
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def _make_readable(folder: Path) -> None:
    """A jail's user is a stranger to us."""
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def render(executed: bytes, *, sandbox: Sandbox, lab_python: Path) -> str:
    """An executed notebook as HTML, not yet sanitized: no page may show it as it is.

    Raises:
        InfrastructureFault: no HTML came out.
    """
    ours, theirs = socket.socketpair()
    source = memory_file(executed)
    spec = JailSpec(
        name="render",
        argv=(str(lab_python), "-P", "-m", "graders.notebook.render", "4", "3"),
        limits=JailLimits(memory_bytes=2 * GIB, pids=64, tmp_bytes=256 * MIB, cpu_s=math.ceil(RENDER_S)),
        mounts=tuple(Mount(GRADERS / name, f"{HOME}/graders/{name}") for name in ("__init__.py", "notebook")),
        env=_environment(),
        descriptors=(theirs.fileno(), source),
        workdir="/home/render",
        forkable=Forkable("graders.notebook.render"),
    )
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
