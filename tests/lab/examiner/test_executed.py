"""Outputs come from the student's process: their shape is checked, and their size."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graders.bundle import LabLimits
from graders.examiner.executed import Outputs
from graders.wire import WireError

NB = {"cells": [{"cell_type": "code", "source": "", "metadata": {}, "id": "a"}], "nbformat": 4, "nbformat_minor": 5}


def recorded(outputs: list[Any], **limits: int) -> list[dict[str, Any]]:
    gathered = Outputs(LabLimits(**limits))  # type: ignore[arg-type]
    gathered.record(1, outputs)
    found: list[dict[str, Any]] = json.loads(gathered.notebook(NB))["cells"][0]["outputs"]
    return found


@pytest.mark.parametrize(
    "output",
    [
        "text",
        {},
        {"output_type": "update_display_data", "data": {}},
        {"output_type": "stream", "text": 5},
        {"output_type": "error", "ename": "E", "evalue": "", "traceback": "text"},
        {"output_type": "display_data", "data": [], "metadata": {}},
        {"output_type": "display_data", "data": {"image/png": b"raw"}, "metadata": {}},
        {"output_type": "display_data", "data": {"text/plain": 5}, "metadata": {}},
        {"output_type": "display_data", "data": {"application/json": {1, 2}}, "metadata": {}},
    ],
)
def test_what_is_no_output_is_refused(output: Any) -> None:
    with pytest.raises(WireError):
        recorded([output])


def test_only_known_fields_are_kept() -> None:
    output = {"output_type": "stream", "name": "evil", "text": "a\ud800", "extra": 1}
    assert recorded([output]) == [{"output_type": "stream", "name": "stdout", "text": "a?"}]


def test_more_than_a_cell_may_show_is_cut_visibly() -> None:
    many = [{"output_type": "stream", "name": "stdout", "text": "x" * 50_000}] * 5
    found = recorded(many, output_bytes=50_000)
    assert len(found) < 5
    assert "truncated" in found[-1]["text"]


def test_a_cell_that_was_not_run_shows_nothing() -> None:
    nb = json.loads(Outputs(LabLimits()).notebook({**NB, "cells": [{**NB["cells"][0], "outputs": [1]}]}))  # type: ignore[index]
    assert (nb["cells"][0]["outputs"], nb["cells"][0]["execution_count"]) == ([], None)
