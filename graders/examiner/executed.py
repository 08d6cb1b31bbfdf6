"""The executed notebook: the student's cells with the outputs that they gave here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from graders.bundle import LabLimits
from graders.wire import WireError

TOTAL_OUTPUTS: Final = 8
"""All cells together may show this many times what one cell may."""
MOST_OUTPUT_BYTES: Final = 64 * 1024**2
TRUNCATED: Final = "… output truncated …"

Output = dict[str, Any]


class Outputs:
    """Checks and gathers the outputs of cells; what doesn't fit is cut off where one can see it."""

    def __init__(self, limits: LabLimits) -> None:
        self._per_cell = limits.output_bytes
        self._left = min(TOTAL_OUTPUTS * limits.output_bytes, MOST_OUTPUT_BYTES)
        self._cells: dict[int, list[Output]] = {}

    def record(self, number: int, outputs: list[Any]) -> None:
        """Raises WireError when they are no outputs in nbformat's shape."""
        kept: list[Output] = []
        room = min(self._per_cell + self._per_cell // 8 + 65_536, self._left)
        for raw in outputs:
            output = _checked(raw, number)
            size = len(json.dumps(output))
            if size > room:
                kept.append(note(TRUNCATED))
                break
            room -= size
            self._left -= size
            kept.append(output)
        self._cells[number] = kept

    def add_error(self, number: int, name: str, sentence: str) -> None:
        error = {"output_type": "error", "ename": name, "evalue": sentence, "traceback": [f"{name}: {sentence}"]}
        self._cells.setdefault(number, []).append(error)

    def notebook(self, nb: Mapping[str, Any]) -> bytes:
        """The notebook as .ipynb JSON with these outputs and no others."""
        cells, number = [], 0
        for cell in nb["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                ran = number in self._cells
                cell = {**cell, "outputs": self._cells.get(number, []), "execution_count": number if ran else None}
            cells.append(cell)
        # Without indentation: what is nested deeply would outgrow by far the size that was counted.
        return json.dumps({**nb, "cells": cells}, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace")


def note(sentence: str) -> Output:
    return {"output_type": "stream", "name": "stderr", "text": f"\n{sentence}\n"}


def _checked(raw: Any, number: int) -> Output:
    if type(raw) is not dict:
        raise WireError("An output is none.")
    kind = raw.get("output_type")
    if kind == "stream":
        name = "stderr" if raw.get("name") == "stderr" else "stdout"
        return {"output_type": "stream", "name": name, "text": _text(raw.get("text"))}
    if kind == "error":
        lines = raw.get("traceback")
        if type(lines) is not list:
            raise WireError("An output is none.")
        ename, evalue = _text(raw.get("ename"))[:200], _text(raw.get("evalue"))[:4_000]
        return {"output_type": "error", "ename": ename, "evalue": evalue, "traceback": [_text(each) for each in lines]}
    if kind in ("display_data", "execute_result"):
        output = {"output_type": kind, "data": _bundle(raw.get("data")), "metadata": _json(raw.get("metadata"))}
        return output | ({"execution_count": number} if kind == "execute_result" else {})
    raise WireError("An output is of no known kind.")


def _bundle(raw: Any) -> dict[str, Any]:
    if type(raw) is not dict:
        raise WireError("An output is none.")
    return {_text(kind): _json(value) if _text(kind).endswith("json") else _text(value) for kind, value in raw.items()}


def _text(value: Any) -> str:
    if type(value) is not str:
        raise WireError("An output holds something other than text.")
    return value.encode("utf-8", "replace").decode()


def _json(value: Any, depth: int = 0) -> Any:
    if depth > 40:
        raise WireError("An output is nested too deeply.")
    if value is None or type(value) in (bool, int):
        return value
    if type(value) is float:
        return value if abs(value) < float("inf") else None
    if type(value) is str:
        return _text(value)
    if type(value) is list:
        return [_json(item, depth + 1) for item in value]
    if type(value) is dict:
        return {_text(key): _json(item, depth + 1) for key, item in value.items()}
    raise WireError("An output holds something that is no JSON.")
