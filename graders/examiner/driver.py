"""Grades one notebook: cells in order, each question right after its last cell, whatever the student's process does.

When that process is lost, a new one runs the same cells again without the one that ended it, so that an error costs
only the questions it touches. Questions already graded keep their results.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NoReturn, TypeVar

from graders.bundle import Question
from graders.examiner import machine, questions, text
from graders.examiner.control import Control, Ended, Job
from graders.examiner.executed import Outputs
from graders.examiner.session import START_S, RespondentLost, Session
from graders.notebook.advice import advice
from graders.notebook.plan import AT_END, PlannedCell, may_define, plan
from graders.report import CellFailure, Cells, FailureKind, QuestionResult, Report, ReportError, Timing
from graders.wire import WireError

MOST_RESTARTS: Final = 3
MOST_ERROR_CHARS: Final = 500
MOST_FAILURES_TOLD: Final = 200
UNDEFINED: Final = re.compile(r"(?:name '|You have not defined `)(\w+)(?:' is not defined|`)")
OUT_OF_MEMORY: Final = frozenset({"MemoryError", "_ArrayMemoryError", "OutOfMemoryError"})

T = TypeVar("T")


class Stopped(Exception):
    """No more cells and questions: the message says why."""


class Driver:
    def __init__(self, job: Job, control: Control) -> None:
        self._job = job
        self._control = control
        self._limits = job.limits
        self._tests = questions.Tests(job.questions)
        self._nb = json.loads(job.notebook)
        self._plan = plan(self._nb, [question.name for question in job.questions])
        self._outputs = Outputs(job.limits)
        self._session: Session | None = None
        self._started = 0
        self._run_until: float | None = None
        self._stopped = ""
        self._ran: list[PlannedCell] = []
        self._skipped: set[int] = set()
        self._failures: dict[int, CellFailure] = {}
        self._results: dict[str, QuestionResult] = {}
        self._in_force: dict[str, str] = {}
        self._executed = 0
        self._cells_s = 0.0
        self._tests_s = 0.0

    def run(self) -> tuple[bytes, bytes]:
        """The report and the executed notebook.

        Raises:
            LabFault: the lab's own tests can't be used.
            RuntimeError: no student process could be started.
        """
        by_name = {question.name: question for question in self._job.questions}
        for cell in self._plan.cells:
            self._cell(cell)
            for name in self._plan.after.get(cell.number, ()):
                self._question(by_name[name], cell.number)
        for name in self._plan.after.get(AT_END, ()):
            self._question(by_name[name], AT_END)
        if self._session is not None:
            self._end(expected=False)
        return self._report(), self._outputs.notebook(self._nb)

    # Cells

    def _cell(self, cell: PlannedCell) -> None:
        self._control.progress("cells", cell.number, len(self._plan.cells), cell.question)
        try:
            session = self._ready()
            self._limit(session, cell)
        except Stopped as stopped:
            self._fail(cell, "not_run", "NotRun", f"{text.cell(cell.number, cell.question)} was not run: {stopped}")
            return
        began = time.monotonic()
        try:
            self._run_cell(session, cell)
        except RespondentLost:
            kind, name, sentence = self._explain_loss(text.cell(cell.number, cell.question), session.sentence)
            self._fail(cell, kind, name, sentence)
            self._outputs.add_error(cell.number, name, sentence)
            self._skipped.add(cell.number)
        finally:
            self._cells_s += time.monotonic() - began
        self._ran.append(cell)

    def _run_cell(self, session: Session, cell: PlannedCell) -> None:
        run = session.execute(cell.number, cell.source, output_bytes=self._limits.output_bytes)
        self._record_outputs(session, cell, run.outputs)
        self._executed += 1
        subject = text.cell(cell.number, cell.question)
        if run.timed_out:
            self._fail(cell, "timeout", "TimeLimit", session.sentence)
            self._skipped.add(cell.number)
        elif run.failure is not None:
            name, message = run.failure.name, text.clean(run.failure.message, MOST_ERROR_CHARS)
            raised = f"{subject} raised {name}: {message}" if message else f"{subject} raised {name}."
            if todo := advice(name, message):
                raised = f"{raised.rstrip('.')}. {todo}"
            if name in OUT_OF_MEMORY:
                limit_text = text.size(self._limits.memory_bytes)
                sentence = f"{subject} needed more memory than the memory limit of {limit_text} left. {raised}"
                self._fail(cell, "memory", name, sentence)
            else:
                self._fail(cell, "error", name, raised)

    def _record_outputs(self, session: Session, cell: PlannedCell, outputs: list[object]) -> None:
        try:
            self._outputs.record(cell.number, outputs)
        except (WireError, MemoryError) as error:
            raise session.give_up(str(error)) from None

    def _fail(self, cell: PlannedCell, kind: FailureKind, name: str, sentence: str) -> None:
        self._failures.setdefault(
            cell.number,
            CellFailure(
                number=cell.number,
                question=cell.question,
                kind=kind,
                name=text.clean(name, 200),
                message=text.clean(sentence, 2 * MOST_ERROR_CHARS),
            ),
        )

    def _limit(self, session: Session, cell: PlannedCell) -> None:
        """Give the cell its time, and the sentence for when that is over. Raises Stopped."""
        left, subject = self._left(), text.cell(cell.number, cell.question)
        if left < self._limits.cell_s:
            session.sentence = text.used_up(subject, self._limits.run_s)
        else:
            session.sentence = text.late(subject, self._limits.cell_s)
        session.until = time.monotonic() + min(self._limits.cell_s, left)

    # Questions

    def _question(self, question: Question, after: int) -> None:
        self._control.progress("tests", after, len(self._plan.cells), question.name)
        file = self._not_on_the_students_time(lambda: self._tests.of(question))
        began = time.monotonic()
        where = f"The check of question {question.name}" + (f" after cell {after}" if after else "")
        try:
            session = self._ready()
            self._results[question.name] = questions.grade(
                file,
                question,
                session,
                seconds=lambda: max(min(self._limits.test_s, self._until() - time.monotonic()), 1.0),
                where=where,
                context=lambda told: self._context(question, told),
                lost=lambda: self._explain_loss(where, session.sentence)[2],
            )
        except Stopped as stopped:
            sentence = f"Question {question.name} was not graded: {stopped}"
            self._results[question.name] = questions.not_graded(file, question, sentence)
        finally:
            self._tests_s += time.monotonic() - began

    def _context(self, question: Question, told: str) -> str:
        """What went wrong in the question's own cells, and before in those that should have defined what is missing:
        most often the true cause of a failed check."""
        missing, causes = set(UNDEFINED.findall(told)), []
        for number in sorted(self._failures, reverse=True):
            failure, source = self._failures[number], self._plan.cells[number - 1].source
            if failure.question == question.name or any(may_define(source, name) for name in missing):
                missing.update(UNDEFINED.findall(failure.message))
                causes.append(failure.message)
        return "\n".join(causes[:-4:-1])

    # The student's process

    def _ready(self) -> Session:
        """The live session, after a loss a new one in which the cells so far have run again.

        Raises Stopped.
        """
        while self._session is None:
            if self._started > MOST_RESTARTS:
                self._stop(f"the notebook's process was lost {self._started} times before.")
            self._session = self._not_on_the_students_time(self._start)
            self._replay(self._session)
        self._left()
        return self._session

    def _start(self) -> Session:
        channel, self._in_force = self._control.start_respondent()
        session = Session(channel)
        self._started += 1
        session.until = time.monotonic() + START_S
        try:
            session.request("hello")
        except RespondentLost as lost:
            ended = self._control.end_respondent(expected=True)
            raise RuntimeError(f"No student process came up ({ended.kind} {ended.code}): {lost}") from lost
        if self._run_until is None:
            self._run_until = time.monotonic() + self._limits.run_s
        return session

    def _not_on_the_students_time(self, work: Callable[[], T]) -> T:
        """What starting a process or reading the tests takes is ours."""
        began, until = time.monotonic(), self._run_until
        result = work()
        if until is not None:
            self._run_until = until + time.monotonic() - began
        return result

    def _replay(self, session: Session) -> None:
        for cell in self._ran:
            if cell.number in self._skipped:
                continue
            self._limit(session, cell)
            try:
                run = session.execute(cell.number, cell.source, output_bytes=0)
            except RespondentLost:
                kind, name, sentence = self._explain_loss(text.cell(cell.number, cell.question), session.sentence)
                self._fail(cell, kind, name, sentence)
                self._skipped.add(cell.number)
                return
            if run.timed_out:
                self._skipped.add(cell.number)

    def _explain_loss(self, subject: str, late: str) -> tuple[FailureKind, str, str]:
        """Ends the session; the kind, name and sentence of why."""
        assert self._session is not None  # noqa: S101  only a session can be lost
        why = self._session.lost
        assert why is not None  # noqa: S101
        ended = self._end(expected=why.kind == "closed")
        return text.loss(subject, why, ended, late=late, memory_bytes=self._limits.memory_bytes)

    def _end(self, *, expected: bool) -> Ended:
        assert self._session is not None  # noqa: S101
        self._session.close()
        self._session = None
        return self._control.end_respondent(expected=expected)

    def _until(self) -> float:
        return time.monotonic() + self._limits.run_s if self._run_until is None else self._run_until

    def _left(self) -> float:
        """Seconds that the run may still take. Raises Stopped."""
        if self._stopped:
            raise Stopped(self._stopped)
        left = self._until() - time.monotonic()
        if left <= 0:
            self._stop(f"the whole notebook may run {text.seconds(self._limits.run_s)}, and that time is used up.")
        return left

    def _stop(self, why: str) -> NoReturn:
        self._stopped = why
        raise Stopped(why)

    # Result

    def _report(self) -> bytes:
        results = tuple(self._results[question.name] for question in self._job.questions)
        failures = tuple(self._failures[number] for number in sorted(self._failures))
        partial = bool(self._stopped) or any(failure.kind != "error" for failure in failures)
        report = Report(
            lab=self._job.lab,
            bundle=self._job.bundle,
            status="partial" if partial else "complete",
            score=sum(result.points for result in results),
            max_score=sum(result.max_points for result in results),
            questions=results,
            cells=Cells(total=len(self._plan.cells), executed=self._executed, failed=failures),
            timing=Timing(cells_s=self._cells_s, tests_s=self._tests_s),
            device=machine.device(),
            versions=machine.versions(),
            limits=self._in_force,
            notes=tuple(text.clean(note, 1_000) for note in (*self._plan.notes, *self._own_notes()))[:200],
        )
        try:
            return report.to_json()
        except ReportError:
            return _shorter(report).to_json()

    def _own_notes(self) -> list[str]:
        if self._started < 2:
            return []
        numbers = ", ".join(map(str, sorted(self._skipped)))
        without = f" without {'cell' if len(self._skipped) == 1 else 'cells'} {numbers}" if numbers else ""
        return [f"The notebook's process was lost, so the cells before were run again{without}."]


def _shorter(report: Report) -> Report:
    """The same marks in fewer words, for a notebook whose errors alone would fill a report."""
    failed = report.cells.failed[:MOST_FAILURES_TOLD]
    notes = report.notes[:20]
    if more := len(report.cells.failed) - len(failed):
        notes += (f"{more} more cells failed: only the first {MOST_FAILURES_TOLD} are listed.",)
    return replace(
        report,
        questions=tuple(
            replace(q, tests=tuple(replace(test, message=text.clean(test.message, 200)) for test in q.tests))
            for q in report.questions
        ),
        cells=replace(
            report.cells,
            failed=tuple(
                replace(each, name=text.clean(each.name, 50), message=text.clean(each.message, 200)) for each in failed
            ),
        ),
        notes=notes,
    )
