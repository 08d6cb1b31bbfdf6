"""What a regrade does to one score, and how a class's changes are counted. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.domain.labs.scores import Score

TOLERANCE: Final = 1e-9
EDGES: Final = (-0.5, -0.25, -0.1, 0.0, 0.1, 0.25, 0.5)
"""Where the bars of the histogram part, as shares of the maximum. What stays has a bar of its own, between."""


class Effect(StrEnum):
    GAINS = "gains"
    LOSES = "loses"
    STAYS = "stays"
    KEEPS = "keeps"
    """It would lose, and keeps what it has."""
    FAILED = "failed"
    WAITING = "waiting"


TAKEN: Final = (Effect.GAINS, Effect.LOSES, Effect.STAYS)
"""Where the new report counts once the regrade is applied."""


@dataclass(frozen=True)
class Bar:
    """`above` and `upto` are shares of the maximum, None where the bar has no end on that side."""

    above: float | None
    upto: float | None
    count: int

    @property
    def stays(self) -> bool:
        return self.above == self.upto == 0.0


def effect(before: Score | None, after: Score, *, keep_higher: bool) -> Effect:
    """A first score is a gain. Equal shares stay, and take the new report, which today's tests made."""
    change = gain(before, after)
    if before is None or change > TOLERANCE:
        return Effect.GAINS
    if change < -TOLERANCE:
        return Effect.KEEPS if keep_higher else Effect.LOSES
    return Effect.STAYS


def gain(before: Score | None, after: Score) -> float:
    """By what part of the maximum a score rises; negative when it falls."""
    return after.share - (before.share if before else 0.0)


def histogram(gains: Iterable[float]) -> tuple[Bar, ...]:
    """How many fall and rise by how much, the greatest loss first."""
    falls = [*zip((None, *EDGES[:4]), EDGES[:4], strict=False)]
    rises = [*zip(EDGES[3:], (*EDGES[4:], None), strict=True)]
    spans = (*falls, (0.0, 0.0), *rises)
    counts = [0] * len(spans)
    for each in gains:
        counts[_bar(each, len(falls))] += 1
    return tuple(Bar(above, upto, count) for (above, upto), count in zip(spans, counts, strict=True))


def _bar(change: float, falls: int) -> int:
    """A loss of exactly a tenth stands with the smaller losses, a gain of a tenth with the smaller gains."""
    if abs(change) <= TOLERANCE:
        return falls
    if change < 0:
        return sum(change >= edge - TOLERANCE for edge in EDGES[:3])
    return falls + 1 + sum(change > edge + TOLERANCE for edge in EDGES[4:])
