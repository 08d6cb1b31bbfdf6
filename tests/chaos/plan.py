"""What is broken at which moment, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from tests.chaos import points

ANY: Final = "any moment"
HANDING_IN: Final = ("submit: in its transaction", "submit: committed", points.STORING, points.ANNOUNCING)


class Strike(NamedTuple):
    kind: str
    phase: str


_CLAIM: Final = ("claim: in its transaction", "claim: committed")
_RUN: Final = tuple(points.PHASES.values())
_REPORT: Final = (points.REPORTING, "report: in its transaction", "report: just recorded")
_PAGE: Final = ("page: claimed", points.PAGE_DONE, "page: in its transaction")
_REAP: Final = (points.REAPING, points.SETTING_BACK)
_OPEN: Final = ("submit: committed", "claim: committed", "run: cells", points.REPORTING, points.PAGE_DONE)
"""One moment of each part of the way, at which nobody holds the database's lock."""

WHERE: Final[dict[str, Sequence[str]]] = {
    "worker killed": (*_CLAIM, *_RUN, *_REPORT, *_PAGE, *_REAP, points.STORING, points.ANNOUNCING),
    "pool process killed": (_CLAIM[1], _RUN[1], *_REPORT, _PAGE[0]),
    "worker frozen": (*_CLAIM, *_RUN, *_REPORT, _PAGE[0], _PAGE[1], _REAP[0]),
    "student's jail killed": _RUN,
    "examiner's jail killed": _RUN,
    "page's jail killed": (_PAGE[0],),
    "fork server killed": (_CLAIM[1], _RUN[0], _RUN[1], _PAGE[0]),
    "web killed": HANDING_IN,
    "clock killed": (points.BEATING,),
    "broker killed": (*_OPEN, points.ANNOUNCING, points.BEATING),
    "broker absent": (*_OPEN, points.ANNOUNCING),
    "broker emptied": (*_OPEN, points.BEATING),
    "broker frozen": (points.ANNOUNCING, _RUN[1]),
    "database locked": (*_OPEN, _RUN[0], points.REAPING),
    "disk full": (*_OPEN, points.STORING, _CLAIM[1], _RUN[0]),
}
AT_ANY: Final = tuple(kind for kind in WHERE if "jail" not in kind)
SHORT: Final = (
    Strike("worker killed", "run: cells"),
    Strike("worker killed", points.REPORTING),
    Strike("worker killed", points.STORING),
    Strike("worker killed", points.REAPING),
    Strike("worker frozen", "run: tests"),
    Strike("pool process killed", "report: just recorded"),
    Strike("student's jail killed", "run: cells"),
    Strike("examiner's jail killed", "run: tests"),
    Strike("page's jail killed", "page: claimed"),
    Strike("fork server killed", "run: cells"),
    Strike("web killed", "submit: in its transaction"),
    Strike("web killed", points.ANNOUNCING),
    Strike("clock killed", points.BEATING),
    Strike("broker killed", points.ANNOUNCING),
    Strike("broker absent", "submit: committed"),
    Strike("broker emptied", "claim: committed"),
    Strike("database locked", "run: cells"),
    Strike("disk full", points.REPORTING),
)


def all_pairs() -> list[Strike]:
    pairs = [Strike(kind, phase) for kind, phases in WHERE.items() for phase in phases]
    return pairs + [Strike(kind, ANY) for kind in AT_ANY]


def drawn(dice: random.Random, *, short: bool) -> list[Strike]:
    """Every pair once, in an order of the seed's."""
    pairs = list(SHORT) if short else all_pairs()
    dice.shuffle(pairs)
    return pairs
