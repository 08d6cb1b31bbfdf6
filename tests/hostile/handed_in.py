"""The file that attacks on intake begin with: the standard lab's notebook with a wrong answer to q2."""

from __future__ import annotations

from typing import Any

from tests.grading import SETUP
from tests.hostile.labs import STANDARD

LAB_LINE = f"# ridgepoint-lab: {STANDARD.bundle.lab}\n"


def code(source: str, **more: Any) -> dict[str, Any]:
    return {
        "cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None, **more
    }  # fmt: skip


def notebook(*harm: dict[str, Any], answer: str = STANDARD.wrong, **more: Any) -> dict[str, Any]:
    """As nbformat's JSON, with `harm` before the answer to q2."""
    cells = [code(LAB_LINE + SETUP)]
    for name, right in STANDARD.right.items():
        if name == STANDARD.attacked:
            cells += harm
        cells += [code(answer if name == STANDARD.attacked else right), code(f'grader.check("{name}")')]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells, **more}
