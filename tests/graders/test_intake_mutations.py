"""Real notebooks, changed part by part and written in other encodings: normalized or refused, at bounded cost."""

from __future__ import annotations

import copy
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any, Final

import nbformat
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.notebook.intake import Refused, normalize
from tests.graders.notebooks import SETUP, code, notebook, text

MAX_BYTES: Final = 200_000
PICTURE: Final = {"image/png": "iVBORw0KGgo="}
OUTPUTS: Final = [
    {"output_type": "stream", "name": "stdout", "text": ["a\n", "b"]},
    {"output_type": "display_data", "data": {**PICTURE, "text/plain": "<Figure>"}, "metadata": {}},
    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t"]},
]
COLAB: Final = {
    "colab": {"provenance": [], "toc_visible": True},
    "kernelspec": {"name": "python3", "display_name": "Python 3"},
    "widgets": {"application/vnd.jupyter.widget-state+json": {"version_major": 2, "state": {}}},
    "ridgepoint": {"lab": "performance-modeling/roofline"},
}
REAL: Final[list[Any]] = [
    notebook(code(SETUP, id="a"), text("# Title", id="b", attachments={"x.png": PICTURE}), metadata=COLAB),
    notebook(code("1", id="q1-answer", outputs=OUTPUTS, execution_count=3), code(["x = 1\n", "x"], id="q1-answer")),
    {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {"name": "old"},
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "code", "input": SETUP, "language": "python", "outputs": [], "collapsed": False},
                    {"cell_type": "heading", "level": 2, "source": "Title"},
                ]
            }
        ],
    },
]
STRANGE: Final[list[Any]] = [
    *(None, True, 0, -1, 4, 5, 10**30, 1.5, "", "code", "\ud800", "\0", "../../etc/passwd", [], {}, [[]], [None]),
    *({"": {}}, {"__class__": "x"}, {"data": {}}, [{"cell_type": "code"}], {"ridgepoint": {"lab": 3}}),
]
ENCODINGS: Final = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be", "cp1252", "latin-1")
BYTES_PER_BYTE: Final = 400  # a list of lists in nbformat's own dictionaries, copied once for each version it passes
BASE_BYTES: Final = 4_000_000


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key or index of its own."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, item in list(items):
        yield node, key
        yield from places(item)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    root = [copy.deepcopy(draw(st.sampled_from(REAL)))]
    for _ in range(draw(st.integers(0, 4))):
        parent, key = draw(st.sampled_from(list(places(root))))
        match draw(st.sampled_from(("replace", "drop", "rename", "double", "wrap", "unwrap"))):
            case "replace":
                parent[key] = copy.deepcopy(draw(st.sampled_from(STRANGE)))
            case "drop" if parent is not root:
                del parent[key]
            case "rename" if isinstance(parent, dict):
                parent[draw(st.sampled_from(("id", "source", "cells", "metadata", "outputs", "x", "")))] = parent[key]
            case "double" if isinstance(parent, list) and parent is not root:
                parent += [copy.deepcopy(parent[key]) for _ in range(draw(st.integers(1, 40)))]
            case "wrap":
                parent[key] = [parent[key]]
            case "unwrap" if isinstance(parent[key], list) and parent[key]:
                parent[key] = parent[key][0]
    written = json.dumps(root[0], ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from((None, 1))))
    return written.encode(draw(st.sampled_from(ENCODINGS)), "surrogatepass" if "\ud800" in written else "replace")


@settings(max_examples=200, deadline=None)
@given(mutated())
def test_a_changed_notebook_is_normalized_to_a_valid_one_or_refused(data: bytes) -> None:
    try:
        taken = normalize(data, filename="lab.ipynb", max_bytes=MAX_BYTES)
    except Refused:
        return
    nbformat.validate(nbformat.reads(taken.notebook.decode(), as_version=4))
    assert normalize(taken.notebook, filename="lab.ipynb", max_bytes=10 * MAX_BYTES).notebook == taken.notebook


@settings(max_examples=60, deadline=None)
@given(mutated(), st.integers(1, 2_000))
def test_intake_takes_memory_in_proportion_to_the_file(data: bytes, times: int) -> None:
    data = data[: MAX_BYTES // 2] + b" " * times
    normalize_or_refuse(data)  # what is imported and compiled once is nobody's file
    tracemalloc.start()
    try:
        normalize_or_refuse(data)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < BASE_BYTES + BYTES_PER_BYTE * len(data)


def normalize_or_refuse(data: bytes) -> None:
    try:
        normalize(data, filename="lab.ipynb", max_bytes=MAX_BYTES)
    except Refused:
        return
