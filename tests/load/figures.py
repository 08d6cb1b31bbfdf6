"""The bench's arithmetic: spreads, overheads, targets, and how they are printed."""

from __future__ import annotations

import math
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Spread = dict[str, float]


def percentile(values: Sequence[float], share: float) -> float:
    """Between two neighbors in rank it lies on the line between them; of one value it is that value."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below, above = ordered[math.floor(place)], ordered[math.ceil(place)]
    return below + (above - below) * (place - math.floor(place))


def spread(values: Sequence[float]) -> Spread:
    """Quantiles, since a mean would follow one bad minute of the machine."""
    return {
        "n": len(values),
        "least": min(values),
        "q1": percentile(values, 0.25),
        "median": statistics.median(values),
        "q3": percentile(values, 0.75),
        "p95": percentile(values, 0.95),
        "most": max(values),
    }


def overheads(wholes: Sequence[tuple[int, float]], bare: Sequence[float]) -> list[float]:
    """What each run took beyond the bare one of its own round: each of `wholes` comes with its round's number."""
    return [whole - bare[number] for number, whole in wholes]


def takes_turn(number: int, turns: int, rounds: int) -> bool:
    """Whether something that is to run `turns` times in `rounds` rounds does so in this one, evenly spaced."""
    return (number + 1) * turns // rounds > number * turns // rounds


@dataclass(frozen=True)
class Target:
    """`figure` is None where it was not measured; `why` says so, or what else there is to know."""

    name: str
    figure: float | None
    rule: Literal["at most", "at least"]
    bound: float
    unit: str
    why: str = ""

    @property
    def verdict(self) -> str:
        if self.figure is None or math.isnan(self.figure):
            return "not measured"
        held = self.figure <= self.bound if self.rule == "at most" else self.figure >= self.bound
        return "met" if held else "MISSED"

    def row(self) -> tuple[str, ...]:
        figure = "-" if self.figure is None else f"{self.figure:.3g} {self.unit}".strip()
        return self.name, f"{self.rule} {self.bound:g} {self.unit}".strip(), figure, self.verdict, self.why


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column and a last one named '' are text, the others figures to the right."""
    widths = [max(len(row[place]) for row in [head, *rows]) for place in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        aligned = [
            cell.ljust(width) if place == 0 or not head[place] else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  " + "  ".join(aligned).rstrip()

    return "\n".join(line(row) for row in [head, *rows])


SPREAD_HEAD = ("median", "quartiles", "p95", "n")


def spread_cells(found: Spread, digits: int = 3) -> tuple[str, str, str, str]:
    """Seconds, under SPREAD_HEAD."""
    quartiles = f"{found['q1']:.{digits}f} to {found['q3']:.{digits}f}"
    return f"{found['median']:.{digits}f}", quartiles, f"{found['p95']:.{digits}f}", f"{found['n']:.0f}"


def machine() -> dict[str, Any]:
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "load": os.getloadavg()[0],
    }


def say(text: str = "") -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
