"""The campaign's figures, for people and for programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.chaos import points
from tests.chaos.campaign import Result
from tests.chaos.plan import ANY, WHERE

PHASES: Final = (*points.NAMES, ANY)
FAULTS_SHOWN: Final = 10


def text(result: Result, recovered: Mapping[str, Sequence[float]]) -> str:
    kinds = list(WHERE)
    counts = Counter(struck.strike for struck in result.struck if not struck.missing)
    lines = ["", f"Seed {result.seed}, {result.database}, {result.seconds:.0f} s.", *result.means, ""]
    lines += [f"{letter(number)}  {kind}" for number, kind in enumerate(kinds)]
    lines += ["", "sabotage by phase" + " " * 13 + "".join(f"{letter(number):>4}" for number in range(len(kinds)))]
    for phase in PHASES:
        row = [counts[(kind, phase)] for kind in kinds]  # type: ignore[index]
        lines.append(f"{phase:<30}" + "".join(f"{count or '.':>4}" for count in row))
    totals = [sum(counts[(kind, phase)] for phase in PHASES) for kind in kinds]  # type: ignore[index]
    lines += [f"{'all':<30}" + "".join(f"{count:>4}" for count in totals), ""]
    if undone := Counter((each.strike.kind, each.missing) for each in result.struck if each.missing):
        lines += [f"{count} x {kind}: not done, {why}" for (kind, why), count in undone.items()] + [""]
    lines.append(f"{'recovery, seconds':<30}{'count':>7}{'p50':>8}{'p95':>8}{'max':>8}")
    everything = [seconds for kind in recovered for seconds in recovered[kind]]
    for kind, times in (*recovered.items(), ("all", everything)):
        lines.append(
            f"{kind:<30}{len(times):>7}{at(times, 0.5):>8.1f}{at(times, 0.95):>8.1f}{max(times, default=0):>8.1f}"
        )
    lines += ["", *(f"{words}: {count}" for words, count in figures(result).items()), ""]
    for promise, faults in result.faults.items():
        lines.append(f"{'holds ' if not faults else 'BROKEN'} {promise}")
        lines += [f"       {fault}" for fault in faults[:FAULTS_SHOWN]]
        if len(faults) > FAULTS_SHOWN:
            lines.append(f"       and {len(faults) - FAULTS_SHOWN} more")
    lines.append(f"\n{'Nothing was lost.' if result.ok else 'SOMETHING WAS LOST.'}")
    return "\n".join(lines)


def figures(result: Result) -> dict[str, int]:
    told = [order for order in result.orders if order.told]
    return {
        "submissions": len(told),
        "by the web": sum(order.way == "web" for order in told),
        "handed in more than once for want of an answer": sum(order.askings > 1 for order in told),
        "sabotages": sum(not struck.missing for struck in result.struck),
        "claims": result.claims,
        "claims lost and made again": result.claims - len(told) - len(result.restarted),
        "reports refused, of workers that had lost their run": result.zombies,
        "runs given up after the last try, and restarted by the instructor": len(result.restarted),
    }


def data(result: Result, recovered: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    return {
        "seed": result.seed,
        "database": result.database,
        "seconds": round(result.seconds, 1),
        "ok": result.ok,
        "means": result.means,
        "figures": figures(result),
        "sabotage": [
            {"kind": kind, "phase": phase, "count": count}
            for (kind, phase), count in sorted(
                Counter(struck.strike for struck in result.struck if not struck.missing).items()
            )
        ],
        "not_done": [
            {"kind": each.strike.kind, "phase": each.strike.phase, "why": each.missing}
            for each in result.struck
            if each.missing
        ],
        "recovery_s": {
            kind: {"count": len(times), "p50": at(times, 0.5), "p95": at(times, 0.95), "max": max(times)}
            for kind, times in recovered.items()
        },
        "promises": result.faults,
    }


def at(times: Sequence[float], share: float) -> float:
    """The nearest-rank percentile."""
    ordered = sorted(times)
    return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)], 2) if ordered else 0.0


def letter(number: int) -> str:
    return chr(ord("a") + number)
