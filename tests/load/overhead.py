"""What grading adds to the bare cells, cold and warm, and what others add to the same.

In each round every way has its turn, the slow ones not in each, so that a slow minute of the machine meets all. What a
way adds is its whole time less that of the bare cells of its own round.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graders.bundle import LabBundle
from tests.load import labs, watch
from tests.load.figures import SPREAD_HEAD, Target, overheads, say, spread, spread_cells, table, takes_turn
from tests.load.peers import Material, PeerFailed, all_of
from workers import engine
from workers.pool import WarmPool, default_pool
from workers.sandbox import default_sandbox

MIB = 1024**2
WARM, COLD, BARE = "graded, warm", "graded, cold", "bare cells"
OVERHEAD_P50_S, OVERHEAD_P95_S, TIMES_LESS = 0.25, 0.5, 10


class Graders:
    """This machine's two sandboxes, and the first grading after the fork servers' start."""

    def __init__(self, bundle: LabBundle, notebook: bytes, lab_python: Path, cache_dir: Path) -> None:
        self._work: dict[str, Any] = {"lab_python": lab_python, "cache_dir": cache_dir}
        self._bundle = bundle
        self._notebook = notebook
        self._cold = default_sandbox(lab_python)
        self.pool: WarmPool = default_pool(lab_python)
        self.executed = b""

    def cold(self) -> dict[str, Any]:
        return self._graded(self._cold)

    def warm(self) -> dict[str, Any]:
        return self._graded(self.pool)

    def _graded(self, sandbox: Any) -> dict[str, Any]:
        found, self.executed = watch.graded(self._bundle, self._notebook, sandbox=sandbox, **self._work)
        return found

    def render(self, *, warm: bool) -> float:
        started = time.perf_counter()
        sandbox = self.pool if warm else self._cold
        engine.render(self.executed, sandbox=sandbox, lab_python=self._work["lab_python"])
        return time.perf_counter() - started

    def close(self) -> dict[str, int]:
        """The most memory that each fork server took, by the program that it forks."""
        servers = list(self.pool._servers.items())
        self.pool.close()
        # Once it has ended, `kill` only tells again how.
        peaks = {f"{kind[0].module.split('.')[1]}": server._jail.kill().peak_memory_bytes for kind, server in servers}
        return {name: peak for name, peak in peaks.items() if peak is not None}


def bench(
    bundle: LabBundle,
    notebook: bytes,
    *,
    lab_python: Path,
    cache_dir: Path,
    turns: Mapping[str, int],
    peers: int = 0,
    renderings: int = 0,
    rehearse: bool = True,
) -> dict[str, Any]:
    """`turns`: how often each of WARM and COLD; `peers` and `renderings`: how often each of those.

    `rehearse`: run everything once before, since first times fill the disk's cache.
    """
    with Material(bundle, notebook) as material, contextlib.ExitStack() as held:
        graders = Graders(bundle, notebook, lab_python, cache_dir)
        held.callback(graders.close)
        first = graders.warm()
        ways: dict[str, Callable[[], dict[str, Any]]] = {WARM: graders.warm, COLD: graders.cold}
        turns = dict(turns)
        for name, peer in all_of(material).items():
            held.callback(peer.close)
            if peers:
                ways[name], turns[name] = (lambda peer=peer: {"whole_s": peer.run()}), peers
        rounds = max(turns.values())
        bare: list[dict[str, float]] = []
        runs: dict[str, list[tuple[int, dict[str, Any]]]] = {name: [] for name in ways}
        why: dict[str, str] = {}
        for name in ways if rehearse else ():
            _once(name, ways[name], why)
        for number in range(rounds):
            bare.append(material.bare(lab_python, bundle.imports))
            for name in ways:
                if name not in why and takes_turn(number, turns[name], rounds):
                    found = _once(name, ways[name], why)
                    if found is not None:
                        runs[name].append((number, found))
        rendered: dict[str, list[float]] = {"cold": [], "warm": []}
        if renderings:
            graders.render(warm=True)  # the first one starts the fork server
        for _ in range(renderings):
            for way, times in rendered.items():
                times.append(graders.render(warm=way == "warm"))
        return {
            "lab": bundle.title,
            "first_s": first["whole_s"],
            "bare": bare,
            "runs": runs,
            "failed": why,
            "rendered": rendered,
            "servers": graders.close(),
        }


def _once(name: str, way: Callable[[], dict[str, Any]], why: dict[str, str]) -> dict[str, Any] | None:
    try:
        return way()
    except PeerFailed as error:
        why[name] = str(error)
        return None


def summarize(found: Mapping[str, Any]) -> dict[str, Any]:
    bare = [run["cells_s"] for run in found["bare"]]
    imports = [run["imports_s"] for run in found["bare"]]
    added, beyond_imports, phases, peaks = {}, {}, {}, {}
    for name, runs in found["runs"].items():
        if not runs:
            continue
        wholes = [(number, run["whole_s"]) for number, run in runs]
        added[name] = spread(overheads(wholes, bare))
        with_imports = [cells + seconds for cells, seconds in zip(bare, imports, strict=True)]
        beyond_imports[name] = spread(overheads(wholes, with_imports))
        if "phases" in runs[0][1]:
            phases[name] = {
                phase: spread([run["phases"].get(phase, 0.0) for _, run in runs]) for phase in watch.PHASES
            } | {
                "cells, by the report": spread([run["cells_s"] for _, run in runs]),
                "tests, by the report": spread([run["tests_s"] for _, run in runs]),
                "neither of these two": spread([run["whole_s"] - run["cells_s"] - run["tests_s"] for _, run in runs]),
            }
            peaks[name] = {jail: max(run["peaks"].get(jail, 0) for _, run in runs) for jail in ("student", "examiner")}
    return {
        "bare_cells_s": spread(bare),
        "bare_imports_s": spread(imports),
        "first_warm_s": found["first_s"],
        "wholes_s": {name: spread([run["whole_s"] for _, run in runs]) for name, runs in found["runs"].items() if runs},
        "added_s": added,
        "added_beyond_imports_s": beyond_imports,
        "phases_s": phases,
        "peaks_bytes": peaks,
        "servers_bytes": dict(found["servers"]),
        "failed": dict(found["failed"]),
        "rendered_s": {way: spread(times) for way, times in found["rendered"].items() if times},
    }


def show(title: str, summary: Mapping[str, Any]) -> None:
    say(f"\n{title}: seconds")
    rows = [("bare cells", *spread_cells(summary["bare_cells_s"]), "imports made before")]
    rows.append(("imports alone", *spread_cells(summary["bare_imports_s"]), "of a plain process"))
    rows += [(name, *spread_cells(times), "whole") for name, times in summary["wholes_s"].items()]
    say(table(("", *SPREAD_HEAD, ""), rows))
    say("\n  what each adds to the bare cells, and to these with their imports")
    ours = summary["added_s"][WARM]["median"]
    rows = []
    for name, times in summary["added_s"].items():
        beyond = summary["added_beyond_imports_s"][name]["median"]
        rows.append((name, *spread_cells(times), f"{times['median'] / ours:.1f}", f"{beyond:.3f}"))
    say(table(("", *SPREAD_HEAD, "times warm", "beyond imports"), rows))
    for name, reason in summary["failed"].items():
        say(f"  {name} gave no figure: {reason}")
    _show_phases(summary["phases_s"])
    _show_memory(summary)
    if summary["rendered_s"]:
        say("\n  the readable copy of the executed notebook")
        rows = [(f"rendered, {way}", *spread_cells(times)) for way, times in summary["rendered_s"].items()]
        say(table(("", *SPREAD_HEAD), rows))


def _show_phases(phases: Mapping[str, Any]) -> None:
    say("\n  where a grading's time goes, as seen from outside")
    head, rows = [""], [[name] for name in next(iter(phases.values()))]
    for way, found in phases.items():
        head += [way.partition(", ")[2], "quartiles", "p95"]
        for row, times in zip(rows, found.values(), strict=True):
            row += spread_cells(times)[:3]
    say(table(head, rows))


def _show_memory(summary: Mapping[str, Any]) -> None:
    def listed(found: Mapping[str, int]) -> str:
        return ", ".join(f"{name} {size / MIB:.0f} MiB" for name, size in found.items()) or "no control group tells"

    say("\n  peak memory of control groups")
    for way, found in summary["peaks_bytes"].items():
        say(f"  jails of {way}: {listed(found)}")
    say(f"  fork servers: {listed(summary['servers_bytes'])}")


def small(quick: bool, **place: Path) -> dict[str, Any]:
    turns = {WARM: 6, COLD: 3} if quick else {WARM: 60, COLD: 20}
    peers, renderings = (2, 3) if quick else (12, 10)
    return bench(labs.small(), labs.notebook(), turns=turns, peers=peers, renderings=renderings, **place)


def targets(summary: Mapping[str, Any] | None) -> Sequence[Target]:
    ours = summary["added_s"][WARM] if summary else {}
    # The stricter reading: a process that starts must import torch, which the bare cells are spared.
    theirs = summary["added_beyond_imports_s"].get("otter run") if summary else None
    why = "its imports not counted" if theirs else (summary or {}).get("failed", {}).get("otter run", "")
    times = theirs["median"] / ours["median"] if theirs else None
    return [
        Target("warm grading adds to a notebook with torch, p50", ours.get("median"), "at most", OVERHEAD_P50_S, "s"),
        Target("warm grading adds to a notebook with torch, p95", ours.get("p95"), "at most", OVERHEAD_P95_S, "s"),
        Target("otter run adds so many times as much", times, "at least", TIMES_LESS, "x", why),
    ]
