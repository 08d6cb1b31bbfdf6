"""Sentences for students, and the cleaning of text that came from them."""

from __future__ import annotations

import re
import signal
from typing import Final

from graders.bundle import GIB, MIB
from graders.examiner.control import Ended
from graders.examiner.session import Loss
from graders.report import FailureKind

TERMINAL_CODES: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colors, cursor moves
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # titles, links, questions
    r"|\x1b[ -/]*[0-~]"
)
# Controls, and what turns the order of the text around them: an error must not look like another one.
MISLEADING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HIDDEN_CHECK_FAILED: Final = "A hidden check of this question did not pass."


def clean(text: str, most: int) -> str:
    """Valid Unicode without terminal codes and controls, at most so many characters."""
    text = TERMINAL_CODES.sub("", text[: 4 * most]).replace("\r\n", "\n").encode("utf-8", "replace").decode()
    text = MISLEADING.sub("\N{REPLACEMENT CHARACTER}", text)
    return text if len(text) <= most else text[: most - 2].rstrip() + " …"


def seconds(count: float) -> str:
    return f"{round(count, 1):g} s"


def size(count: int) -> str:
    return f"{count / GIB:.3g} GiB" if count >= GIB else f"{count / MIB:.3g} MiB"


def cell(number: int, question: str | None) -> str:
    return f"Cell {number} (question {question})" if question else f"Cell {number}"


def late(subject: str, limit_s: float) -> str:
    return f"{subject} ran longer than {seconds(limit_s)} and was stopped."


def used_up(subject: str, run_s: float) -> str:
    return f"{subject} was stopped: the whole notebook may run {seconds(run_s)}, and that time was used up."


def loss(subject: str, why: Loss, ended: Ended, *, late: str, memory_bytes: int) -> tuple[FailureKind, str, str]:
    """Kind, name and sentence for a process that did not survive what `subject` did."""
    if ended.kind == "memory":
        sentence = f"{subject} needed more memory than the memory limit of {size(memory_bytes)}, so it was stopped."
        return "memory", "MemoryLimit", sentence
    if why.kind == "late":
        return "timeout", "TimeLimit", late
    if why.kind == "garbled":
        sentence = f"{subject} disturbed the connection to the grader, so its process was ended."
        return "died", "ConnectionDisturbed", sentence
    if ended.kind == "exit":
        sentence = f"{subject} ended the notebook's Python process (exit code {ended.code}), as os._exit() does."
        return "died", "ProcessEnded", sentence
    if ended.kind == "signal":
        return "died", "ProcessEnded", f"{subject} crashed the notebook's Python process ({_signal(ended.code)})."
    return "died", "ConnectionClosed", f"{subject} cut the connection to the grader, so its process was ended."


def _signal(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return f"{name}, most often because memory ran out" if name == "SIGKILL" else name
