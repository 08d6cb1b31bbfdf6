"""The examiner's line to the worker: what to grade, how far it is, jails to start and to end, and the result."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from graders.bundle import GIB, MIB, LabLimits, Question
from graders.wire import Channel, Limits, dumps, loads

EXAMINER_EXTRA_BYTES: Final = 3 * GIB
"""Room for what a student's values weigh on the examiner's side (see MOST_RECEIVED), beside the tests' own needs."""
CONTROL_LIMITS: Final = Limits(json_bytes=32 * MIB, blob_bytes=256 * MIB)

Phase = Literal["starting", "cells", "tests", "rendering"]


@dataclass(frozen=True)
class Job:
    """`seed` draws the inputs of the tests."""

    lab: str
    bundle: str
    questions: tuple[Question, ...]
    limits: LabLimits
    seed: int
    notebook: bytes

    def to_message(self) -> dict[str, Any]:
        questions = [(each.name, each.title, each.points, each.tests) for each in self.questions]
        limits = vars(self.limits)
        return {
            "lab": self.lab,
            "bundle": self.bundle,
            "questions": questions,
            "limits": dict(limits),
            "seed": self.seed,
            "notebook": self.notebook,
        }

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> Job:
        return cls(
            lab=message["lab"],
            bundle=message["bundle"],
            questions=tuple(Question(*each) for each in message["questions"]),
            limits=LabLimits(**message["limits"]),
            seed=message["seed"],
            notebook=message["notebook"],
        )


@dataclass(frozen=True)
class Ended:
    """How a respondent's jail ended, as the worker saw it; `kind` as in workers.sandbox.interface.Ending."""

    kind: str
    code: int


class Control:
    """Requests are answered in order; the worker is trusted, so nothing here has a deadline of its own."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    @classmethod
    def inherited(cls, descriptor: int) -> Control:
        os.set_inheritable(descriptor, False)
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, descriptor)
        return cls(Channel(connection, CONTROL_LIMITS, takes_descriptors=True))

    def job(self) -> Job:
        return Job.from_message(self._receive("job"))

    def progress(self, phase: Phase, cell: int, of: int, question: str | None) -> None:
        self._send({"type": "progress", "phase": phase, "cell": cell, "of": of, "question": question})

    def start_respondent(self) -> tuple[Channel, dict[str, str]]:
        """A channel to a new student jail, and the limits that hold there."""
        self._send({"type": "start_respondent"})
        answer = self._receive("respondent")
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, self._channel.descriptors.pop())
        return Channel(connection), answer["limits"]

    def end_respondent(self, *, expected: bool) -> Ended:
        """End the student jail. `expected`: it seems to have ended by itself, so its own ending is what counts."""
        self._send({"type": "end_respondent", "expected": expected})
        answer = self._receive("ending")
        return Ended(answer["kind"], answer["code"])

    def done(self, report: bytes, notebook: bytes) -> None:
        self._send({"type": "done", "report": report, "notebook": notebook})

    def fault(self, message: str) -> None:
        self._send({"type": "fault", "message": message[-4_000:]})

    def _send(self, message: dict[str, Any]) -> None:
        self._channel.send(*dumps(message, limits=CONTROL_LIMITS))

    def _receive(self, kind: str) -> dict[str, Any]:
        message: dict[str, Any] = loads(*self._channel.receive(), limits=CONTROL_LIMITS)
        if message["type"] != kind:
            raise RuntimeError(f"The worker sent {message['type']!r} where {kind!r} was due.")
        return message
