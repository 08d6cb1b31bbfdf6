"""Notebooks as students send them: small builders shared by the tests of this folder."""

from __future__ import annotations

import json
from typing import Any

SETUP = "# ridgepoint-lab: performance-modeling/roofline\nimport math"


def code(source: Any, **fields: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None, **fields}


def text(source: Any, **fields: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source, "metadata": {}, **fields}


def notebook(*cells: Any, **fields: Any) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **fields}


def as_bytes(nb: Any) -> bytes:
    return json.dumps(nb).encode()
