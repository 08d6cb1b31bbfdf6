"""What is wrong with a course, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Fault:
    """`file` is relative to the course's folder, `line` counts from 1."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class CourseFaults(Exception):
    """The course can't be compiled; `faults` says all that was found."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = tuple(faults)


class FaultList:
    """Collects the faults of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []

    def add(self, line: int, message: str) -> None:
        self.faults.append(Fault(self.file, line, message))

    def extend(self, faults: Iterable[Fault]) -> None:
        self.faults.extend(faults)
