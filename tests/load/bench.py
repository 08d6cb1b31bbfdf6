"""How fast grading is, against the cells alone and against other tools: `make bench`.

All in one run on one machine. Quantiles, not means. What was missed is said in the last table, and all figures are
written to build/bench.json (of parts, to build/bench-PART.json).
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import django

from tests.load.figures import Target, machine, say, table

ROOT: Final = Path(__file__).resolve().parents[2]
BUILD: Final = ROOT / "build"
PARTS: Final = {
    "small": "a small notebook with torch: cold, warm, and other tools",
    "lab": "the bundled lab's solution: the same",
    "submissions": "a hundred notebooks through the queue",
    "queue": "the queue with 100,000 waiting",
}
LAB: Final = ("performance-modeling", "roofline")
CLAIM_RATIO: Final = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few repetitions, and no bundled lab")
    parser.add_argument("--only", action="append", choices=PARTS, help="one part; may be repeated")
    parser.add_argument("--pairs", type=int, default=3, help="how often the bundled lab is graded each way; 0: not")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings.dev")
    django.setup()
    wanted = options.only or [name for name in PARTS if name != "lab" or (options.pairs and not options.quick)]
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "small": lambda: _small(options.quick),
        "lab": lambda: _lab(1 if options.quick else max(options.pairs, 1)),
        "submissions": lambda: _submissions(options.quick),
        "queue": lambda: _queue(options.quick),
    }
    found: dict[str, Any] = {"machine": machine(), "quick": options.quick}
    say(f"{found['machine']['cores']} cores, load {found['machine']['load']:.1f}: {', '.join(wanted)}")
    for name in (each for each in PARTS if each in wanted):
        say(f"\n=== {PARTS[name]}")
        found[name] = parts[name]()
    targets = _targets(found)
    found["targets"] = [{**asdict(each), "verdict": each.verdict} for each in targets]
    say("\n=== targets" + (", by few repetitions" if options.quick else ""))
    say(table(("", "target", "figure", "verdict", ""), [each.row() for each in targets]))
    BUILD.mkdir(exist_ok=True)
    # A part of a run must not pass for a whole one.
    result = BUILD / f"{'-'.join(['bench', *(options.only or ())])}.json"
    result.write_text(json.dumps(found, indent=2) + "\n")
    say(f"\nLoad at the end {os.getloadavg()[0]:.1f}. Written to {result.relative_to(ROOT)}.")


def _small(quick: bool) -> dict[str, Any]:
    from django.conf import settings

    from tests.load import overhead

    found = overhead.small(quick, lab_python=settings.LAB_PYTHON, cache_dir=settings.CACHE_DIR)
    summary = overhead.summarize(found)
    overhead.show("A notebook that imports torch", summary)
    return {"summary": summary, "runs": found}


def _lab(pairs: int) -> dict[str, Any]:
    from tests.load import overhead
    from workers.management import authors
    from workers.publishing import compile_lab

    workshop = authors.workshop()
    bundle = compile_lab(workshop, *LAB)
    found = overhead.bench(
        bundle,
        bundle.solution.encode(),
        lab_python=workshop.lab_python,
        cache_dir=workshop.cache_dir,
        turns={overhead.WARM: pairs, overhead.COLD: pairs},
        peers=pairs,
        rehearse=False,
    )
    summary = overhead.summarize(found)
    overhead.show("/".join(LAB), summary)
    return {"summary": summary, "runs": found}


def _submissions(quick: bool) -> dict[str, Any]:
    from tests.load import submissions

    found = submissions.bench(quick=quick)
    summary = submissions.summarize(found)
    submissions.show(summary)
    return {"summary": summary, "runs": found}


def _queue(quick: bool) -> dict[str, Any]:
    from tests.load import queue

    return queue.bench(waiting=10_000, rounds=2) if quick else queue.bench()


def _targets(found: Mapping[str, Any]) -> list[Target]:
    from tests.load import overhead, submissions

    targets = [
        *overhead.targets(found.get("small", {}).get("summary")),
        *submissions.targets(found.get("submissions", {}).get("summary")),
    ]
    databases = found.get("queue", {}).get("databases", {})
    for name in databases or ("SQLite", "PostgreSQL"):
        waiting = f"{found['queue']['long']:,}" if databases else "100,000"
        ratio = databases[name]["claim"]["ratio"]["median"] if databases else None
        sentence = f"claiming with {waiting} waiting takes so many times as long, {name}"
        targets.append(Target(sentence, ratio, "at most", CLAIM_RATIO, "x"))
    return targets


if __name__ == "__main__":
    main()
