"""A lab bundle is read back strictly and knows itself by its content."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.bundle import BundleError, LabBundle, LabLimits, Question
from tests.graders.changes import put

WHOLE = LabBundle(
    lab="performance-modeling/roofline",
    title="Roofline",
    questions=(Question("q1", "Peak", 2.0, "OK_FORMAT = False"), Question("q2", "Ridge", 1.5, "# tests")),
    starter='{"cells": []}',
    solution='{"cells": [1]}',
    limits=LabLimits(cell_s=90.0),
    library={"labkit/__init__.py": "", "labkit/roofline.py": "x = 1"},
    files={"data/peaks.csv": b"\x00\xff,1\n"},
)


def read(change: Callable[[Any], None]) -> LabBundle:
    raw = copy.deepcopy(json.loads(WHOLE.to_json()))
    change(raw)
    return LabBundle.from_json(json.dumps(raw).encode())


def test_it_comes_back_as_it_was() -> None:
    assert LabBundle.from_json(WHOLE.to_json()) == WHOLE


def test_its_digest_is_that_of_its_content() -> None:
    assert LabBundle.from_json(WHOLE.to_json()).digest == WHOLE.digest
    assert replace(WHOLE, title="Other").digest != WHOLE.digest


def test_one_and_one_point_zero_are_one_identity() -> None:
    whole_numbers = replace(WHOLE, limits=replace(WHOLE.limits, cell_s=90))
    assert whole_numbers.digest == WHOLE.digest


def test_its_maximum_is_the_sum_of_its_questions() -> None:
    assert WHOLE.max_score == 3.5


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (put(2, "version"), "publish the course again"),
        (put(True, "version"), "not an integer"),
        (put(3, "lab"), "not a text"),
        (put(None, "title"), "not a text"),
        (put({}, "questions"), "not a list"),
        (put("2", "questions", 0, "points"), "not a number"),
        (put(True, "questions", 0, "points"), "not a number"),
        (put(-1, "questions", 0, "points"), "not a number"),
        (put("q2", "questions", 0, "name"), "same name"),
        (put(1, "questions", 0, "weight"), "unknown field"),
        (put(0, "limits", "cell_s"), "0 seconds"),
        (put(-1, "limits", "run_s"), "not a number"),
        (put(0, "limits", "memory_bytes"), "not an integer"),
        (put(1.5, "limits", "pids"), "not an integer"),
        (put(1, "limits", "gpu"), "unknown field"),
        (put([], "library"), "not an object"),
        (put(3, "library", "labkit/roofline.py"), "not a text"),
        (put("\ud800", "starter"), "not valid Unicode"),
        (put("?", "files", "data/peaks.csv"), "not Base64"),
        (put("é", "files", "data/peaks.csv"), "not Base64"),
        (put(1, "secret"), "unknown field"),
        (lambda raw: raw.pop("solution"), "lacks solution"),
        (lambda raw: raw["limits"].pop("cell_s"), "lacks cell_s"),
    ],
)
def test_what_is_missing_unknown_or_of_another_type_is_refused(change: Callable[[Any], None], reason: str) -> None:
    with pytest.raises(BundleError, match=reason):
        read(change)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../x", "a/../../x", "a//b", "", ".", "a/", "./a", "a\x00b", "a\\..\\b", "a\nb"]
)
@pytest.mark.parametrize("kind", ["library", "files"])
def test_a_path_that_could_lead_out_of_the_folder_is_refused(kind: str, path: str) -> None:
    with pytest.raises(BundleError, match="not a relative path"):
        read(put({path: ""}, kind))


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff", b"[]", b'"x"', b"null", b"{}", b"[" * 100_000, b'{"version": 1, "version": 1}', b'{"version": NaN}'],
)
def test_what_is_no_bundle_is_refused(data: bytes) -> None:
    with pytest.raises(BundleError):
        LabBundle.from_json(data)


def test_a_number_that_json_lacks_is_not_written() -> None:
    with pytest.raises(BundleError):
        replace(WHOLE, limits=LabLimits(cell_s=float("nan"))).to_json()


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
paths = st.from_regex(r"[a-z]{1,5}(/[a-z]{1,5}){0,2}\.[a-z]{1,3}", fullmatch=True)


@given(
    st.builds(
        LabBundle,
        lab=words,
        title=words,
        questions=st.lists(
            st.builds(Question, words, words, st.floats(0, 100), words), max_size=3, unique_by=lambda q: q.name
        ).map(tuple),
        starter=words,
        solution=words,
        limits=st.builds(
            LabLimits, cell_s=st.floats(0.1, 1e4), memory_bytes=st.integers(1, 2**40), pids=st.integers(1, 10_000)
        ),
        library=st.dictionaries(paths, words, max_size=3),
        files=st.dictionaries(paths, st.binary(max_size=20), max_size=3),
    )
)
def test_any_bundle_comes_back_as_it_was(bundle: LabBundle) -> None:
    again = LabBundle.from_json(bundle.to_json())
    assert again == bundle
    assert again.digest == bundle.digest
