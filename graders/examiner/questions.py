"""A question's tests, run one case at a time by otter-grader's own class, each under its own time limit."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import inspect
import linecache
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from graders.bundle import Question
from graders.examiner import text
from graders.examiner.proxies import Environment, NotDefined, StudentError
from graders.examiner.session import GRACE_S, Session
from graders.examiner.watchdog import Halt, limited
from graders.report import QuestionResult, TestResult

MOST_MESSAGE_CHARS: Final = 2_000


class LabFault(RuntimeError):
    """The lab itself is wrong, not the student's work."""


class Tests:
    """The test files of all questions. Reading them imports what they need, which may take longer than anything here,
    so it is begun at once and beside the student's first cells."""

    def __init__(self, questions: tuple[Question, ...]) -> None:
        self._questions = questions
        self._files: dict[str, Any] = {}
        self._fault: BaseException | None = None
        self._thread = threading.Thread(target=self._load, name="load tests", daemon=True)
        self._thread.start()

    def of(self, question: Question) -> Any:
        """Raises LabFault."""
        self._thread.join()
        if self._fault is not None:
            raise LabFault(str(self._fault)) from self._fault
        return self._files[question.name]

    def _load(self) -> None:
        try:
            for question in self._questions:
                self._files[question.name] = _load(question)
        except BaseException as error:  # noqa: BLE001  it is raised again where it can be told
            self._fault = error


def test_file_class() -> Any:
    """otter-grader's class for exception-based test files.

    The package's own __init__ imports its command line, nbconvert and pandas, 0.6 s of a run that needs none of them;
    so the package stands here without it.
    """
    if "otter" not in sys.modules:
        found = importlib.util.find_spec("otter")
        if found is None:
            raise LabFault("otter-grader is missing from the lab's environment.")
        sys.modules["otter"] = importlib.util.module_from_spec(found)
    from otter.test_files.exception_test import ExceptionTestFile

    return ExceptionTestFile


def _load(question: Question) -> Any:
    path = f"<tests of {question.name}>"
    linecache.cache[path] = (len(question.tests), None, question.tests.splitlines(keepends=True), path)
    try:
        file = test_file_class().from_string(question.tests, path=path)
    except Exception as error:
        raise LabFault(f"The tests of question {question.name} can't be read: {error!r}.") from error
    if not _worth(file.possible, question.points):
        # The file states no points of its own: the question's are split among its cases by otter-grader's rule.
        cases = [replace(case, points=case.body.points) for case in file.test_cases]
        with contextlib.suppress(ValueError):
            file.test_cases = file.resolve_test_file_points(question.points, cases)
    if not _worth(file.possible, question.points) or any(case.points < 0 for case in file.test_cases):
        raise LabFault(
            f"Question {question.name} is worth {question.points} points, its tests {file.possible}: "
            "correct the lab and publish the course again."
        )
    return file


def _worth(possible: float, points: float) -> bool:
    return abs(possible - points) < 1e-6


class _Recorded:
    """A test case that remembers why it failed; otter-grader keeps only a sentence."""

    def __init__(self, case: Any) -> None:
        self._case = case
        self.error: BaseException | None = None

    def call_func(self, environment: Environment) -> None:
        # One call deeper than needed: otter-grader looks for the test's line two frames below its own.
        self._call(environment)

    def _call(self, environment: Environment) -> None:
        try:
            for name in inspect.signature(self._case.test_func).parameters:
                if name != "env" and name not in environment:
                    raise NotDefined(name)
            self._case.call_func(environment)
        except Halt as error:
            self.error = error
            raise AssertionError("The test was ended.") from error
        except Exception as error:
            self.error = error
            raise


def grade(
    file: Any,
    question: Question,
    session: Session,
    *,
    seconds: Callable[[], float],
    where: str,
    context: Callable[[str], str],
    lost: Callable[[], str],
) -> QuestionResult:
    """Run every case of a question's test file.

    `seconds` is what the next case may take; `where` names the check in a sentence; `context` says what went wrong in
    the cells that the question needs, given what a check says; `lost` is asked once, when the student's process was
    lost, for the sentence about that.
    """
    environment = Environment(session)
    results: list[Any] = []
    messages: list[str] = []
    gone = ""
    for case in file.test_cases:
        recorded = _Recorded(case.body)
        if not gone:
            session.callbacks.clear()
            session.received = 0
            session.reticent = bool(case.hidden)
            limit = seconds()
            session.until = time.monotonic() + limit
            session.sentence = text.late(where, limit)
            single = copy.copy(file)
            single.test_cases = [replace(case, body=recorded)]
            try:
                with limited(limit + GRACE_S + 1, session.sentence):
                    single.run(environment)
                outcome = replace(single.test_case_results[0], test_case=case)
            except Halt as late:  # it came up outside of the test itself
                recorded.error, outcome = late, _failed(file, case)
            results.append(outcome)
            if session.lost is not None:
                gone = lost()
                results[-1] = replace(outcome, passed=False)
        else:
            results.append(_failed(file, case))
        messages.append(_message(case, results[-1].passed, gone or _reason(recorded.error, question, context)))
    session.callbacks.clear()
    file.test_case_results = results
    return _result(file, question, messages)


def not_graded(file: Any, question: Question, sentence: str) -> QuestionResult:
    """All cases failed for a reason that lies outside them."""
    file.test_case_results = [_failed(file, case) for case in file.test_cases]
    return _result(file, question, [_message(case, False, sentence) for case in file.test_cases])


def _failed(file: Any, case: Any) -> Any:
    from otter.test_files.abstract_test import TestCaseResult

    return TestCaseResult(test_case=case, message=None, passed=False)


def _result(file: Any, question: Question, messages: list[str]) -> QuestionResult:
    whole = file.passed_all or not file.all_or_nothing
    tests = tuple(
        TestResult(
            name=text.clean(str(outcome.test_case.name), 300),
            visibility="hidden" if outcome.test_case.hidden else "public",
            passed=outcome.passed,
            points=float(outcome.test_case.points) if outcome.passed and whole else 0.0,
            max_points=float(outcome.test_case.points),
            message=message,
        )
        for outcome, message in zip(file.test_case_results, messages, strict=True)
    )
    return QuestionResult(
        name=question.name,
        title=question.title,
        points=min(float(file.score), question.points),
        max_points=question.points,
        tests=tests,
    )


def _message(case: Any, passed: bool, reason: str) -> str:
    """What may be said. A hidden case says only what its author wrote for the student."""
    if passed:
        return text.clean(case.success_message or "", MOST_MESSAGE_CHARS)
    if case.hidden:
        return text.clean(case.failure_message or text.HIDDEN_CHECK_FAILED, MOST_MESSAGE_CHARS)
    return text.clean("\n".join(part for part in (case.failure_message, reason) if part), MOST_MESSAGE_CHARS)


def _reason(error: BaseException | None, question: Question, context: Callable[[str], str]) -> str:
    if isinstance(error, NotDefined | StudentError | Halt):
        told = str(error)
    elif isinstance(error, AssertionError) and not str(error):
        told = f"AssertionError: {_line(error, question)}"
    elif error is None:
        told = ""
    else:
        told = f"{type(error).__name__}: {error}"
    return "\n".join(part for part in (told, context(told)) if part)


def _line(error: BaseException, question: Question) -> str:
    """The line of the test file at which it failed."""
    path, found, traceback = f"<tests of {question.name}>", "", error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            found = linecache.getline(path, traceback.tb_lineno).strip()
        traceback = traceback.tb_next
    return found
