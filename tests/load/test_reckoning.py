"""What the bench makes of what it measured, and what it does when another tool can't run."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.load import labs, overhead, submissions
from tests.load.peers import Material, OtterRun, PeerFailed, Resident, otter_score
from tests.load.watch import Timeline


def run(whole: float) -> dict[str, object]:
    return {"whole_s": whole, "cells_s": 0.1, "tests_s": 0.1, "phases": {"cells": 0.2}, "peaks": {"student": 5}}


def measured(**failed: str) -> dict[str, object]:
    runs = {
        overhead.WARM: [(0, run(0.3)), (1, run(0.5))],
        overhead.COLD: [(1, run(5.4))],
        "otter run": [] if failed else [(0, {"whole_s": 8.1})],
    }
    bare = [{"cells_s": 0.1, "imports_s": 2.0}, {"cells_s": 0.4, "imports_s": 2.0}]
    rest = {
        "first_s": 4.0,
        "failed": {name.replace("_", " "): reason for name, reason in failed.items()},
        "rendered": {},
        "servers": {},
    }
    return {"bare": bare, "runs": runs, **rest}


def test_time_belongs_to_the_phase_that_began_last() -> None:
    ticks = itertools.chain([0.0, 1.0, 3.0, 6.0, 10.0])
    timeline = Timeline(lambda: next(ticks))
    assert [timeline.mark(phase) for phase in ("cells", "tests", "cells", "end", "over")] == [
        "",
        "cells",
        "tests",
        "cells",
        "end",
    ]
    assert timeline.totals() == {"cells": 4.0, "tests": 2.0, "end": 4.0}


def test_what_each_adds_is_counted_with_and_without_imports() -> None:
    summary = overhead.summarize(measured())
    assert summary["added_s"][overhead.WARM]["median"] == pytest.approx(0.15)
    assert summary["added_s"]["otter run"]["median"] == pytest.approx(8.0)
    assert summary["added_beyond_imports_s"]["otter run"]["median"] == pytest.approx(6.0)


def test_the_comparison_takes_the_reading_that_favors_the_other_tool() -> None:
    times = overhead.targets(overhead.summarize(measured()))[2]
    assert times.figure == pytest.approx(6.0 / 0.15)
    assert times.verdict == "met"


def test_a_tool_that_could_not_run_is_named_with_the_reason() -> None:
    summary = overhead.summarize(measured(otter_run="no kernel"))
    times = overhead.targets(summary)[2]
    assert (times.verdict, times.why) == ("not measured", "no kernel")


def test_targets_of_parts_that_did_not_run_are_not_measured() -> None:
    targets = [*overhead.targets(None), *submissions.targets(None)]
    assert {each.verdict for each in targets} == {"not measured"}


def test_a_sample_of_others_is_scaled_to_as_many_notebooks() -> None:
    ours = {"workers": 1, "count": 100, "whole_s": 30.0, "rendered_s": 40.0, "first_report_s": 5.0}
    times = {"submit_s": [0.1], "alone_s": [0.3], "to_report_s": [1.0], "grading_s": [0.3], "tries": [1, 2]}
    otter = {"lanes": 1, "sample": 8, "each_s": [3.0], "scaled_s": 300.0}
    summary = submissions.summarize({"count": 100, "ours": [{**ours, **times}], "otter": [otter]})
    assert (summary["workers"][0]["share"], summary["workers"][0]["retried"]) == (0.1, 1)
    target = submissions.targets(summary)[0]
    assert (target.verdict, target.why) == ("met", "otter run scaled from 8")


def test_a_missing_environment_is_a_reason_and_no_crash(tmp_path: Path) -> None:
    with Material(labs.small(), labs.notebook()) as material:
        for peer in (OtterRun(material, tmp_path / "python"), Resident("nbclient", material, tmp_path / "python")):
            with pytest.raises(PeerFailed, match="make bench installs it"):
                peer.run()
            peer.close()


def test_a_tool_that_ends_gives_its_last_words(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nread line\necho no kernel named python3 >&2\nexit 3\n")
    python.chmod(0o755)
    with Material(labs.small(), labs.notebook()) as material:
        peer = Resident("nbclient", material, python)
        with pytest.raises(PeerFailed, match="status 3: no kernel named python3"):
            peer.run()
        peer.close()


def test_points_are_added_up_from_results_of_otter_grader() -> None:
    assert otter_score({"tests": [{"name": "Public Tests"}, {"score": 2.0}, {"score": 0.5}]}) == 2.5
