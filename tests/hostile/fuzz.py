"""Long fuzzing by coverage, with atheris: `make hostile FUZZ=600`. In the lab's interpreter, which has what arrays and
notebooks need; atheris itself is put into build/fuzz by the caller (see __main__.py)."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(include=["graders"]):
    from graders.notebook.intake import Refused, check_lab, normalize
    from graders.notebook.plan import plan
    from graders.report import Report, ReportError
    from graders.wire import WireError, dumps, loads

MEMORY_MIB = 3_000
SLOWEST_S = 30
SPLIT = b"\n--blobs--\n"


def codec(data: bytes) -> None:
    """JSON and blobs: read as data that can be written again, or refused by a WireError."""
    text, _, blobs = data.partition(SPLIT)
    try:
        value = loads(text, blobs, extras={"r": lambda _decoder, items: tuple(map(str, items))})
    except WireError:
        return
    dumps(value)


def intake(data: bytes) -> None:
    """Any file: refused in a sentence, or normalized to what the planner takes."""
    try:
        taken = normalize(data, filename="lab.ipynb", max_bytes=1_000_000)
        check_lab(taken, "performance-modeling/roofline")
    except Refused:
        return
    plan(json.loads(taken.notebook), ["q1", "q2"])


def report(data: bytes) -> None:
    """What an examiner hands back: refused, or a report that can be written again."""
    try:
        Report.from_json(data).to_json()
    except ReportError:
        return


def seeds(target: str) -> list[bytes]:
    if target == "codec":
        import numpy as np
        import pandas as pd
        import torch

        values: list[Any] = [
            {"id": 7, "value": [1, 2.5, None, "text", b"bytes", 2**70, 1j, {1}, (2,), range(3), slice(1)]},
            [list(range(100)), "x" * 3_000, np.arange(4), np.float32(1), np.array([1, "a"], dtype=object)],
            [torch.ones(2), torch.float32, torch.device("cpu")],
            pd.DataFrame({"a": [1, 2], "b": ["x", None]}),
        ]
        return [text + SPLIT + b"".join(blobs) for text, blobs in map(dumps, values)]
    if target == "intake":
        cells = [{"cell_type": "code", "source": "# ridgepoint-lab: performance-modeling/roofline", "outputs": []}]
        new = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
        old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}
        return [json.dumps(each).encode(coding) for each in (new, old) for coding in ("utf-8", "utf-16")]
    from graders.report import Cells

    return [Report("a/b", "c", "complete", 0.0, 0.0, (), Cells(1, 1)).to_json()]


TARGETS: dict[str, Callable[[bytes], None]] = {each.__name__: each for each in (codec, intake, report)}


def main() -> None:
    target, seconds = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="ridgepoint-fuzz-") as folder:
        for number, seed in enumerate(seeds(target)):
            Path(folder, f"seed{number}").write_bytes(seed)
        options = [f"-max_total_time={seconds}", f"-rss_limit_mb={MEMORY_MIB}", f"-timeout={SLOWEST_S}"]
        options += [f"-artifact_prefix=build/fuzz/{target}-", "-max_len=20000", "-print_final_stats=1", "-verbosity=0"]
        atheris.Setup([target, *options, folder], TARGETS[target])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
