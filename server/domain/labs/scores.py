"""How scores compare whose maxima differ, as those of two versions of a lab may. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    points: float
    most: float

    @property
    def share(self) -> float:
        """What part of the maximum was reached."""
        return self.points / self.most if self.most else 0.0


def score_of(points: float | None, most: float | None) -> Score | None:
    return None if points is None or most is None else Score(points, most)
