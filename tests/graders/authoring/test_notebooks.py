from __future__ import annotations

import json
from typing import Any

import pytest

from graders.authoring import notebooks


def raw(kind: str, source: str, question: str | None = None, tag: str | None = None) -> dict[str, Any]:
    metadata: dict[str, Any] = {"ridgepoint": {"question": question}} if question else {}
    if tag:
        metadata["tags"] = [tag]
    cell: dict[str, Any] = {"cell_type": kind, "id": "x", "metadata": metadata, "source": source}
    return cell | ({"outputs": [{"output_type": "stream"}], "execution_count": 7} if kind == "code" else {})


RAW = {
    "cells": [
        raw("markdown", "# Title"),
        raw("markdown", "Ask.", "q1"),
        raw("code", "help_me = 1", "q1"),
        raw("code", "x = 1  # SOLUTION", "q1", "otter_assign_solution_cell"),
        raw("code", "y = 2  # SOLUTION", "q1", "otter_assign_solution_cell"),
        raw("code", 'grader.check("q1")'),
        raw("markdown", " "),
    ],
    "metadata": {"otter": {"tests": {}}, "kernelspec": {"name": "some-kernel"}},
}


def finished() -> notebooks.Notebook:
    return notebooks.finish(RAW, lab="tiny/arithmetic", bundle="0" * 12, setup="# setup")


def test_cells_have_ids_that_say_what_they_are() -> None:
    assert [cell["id"] for cell in finished()["cells"]] == [
        "setup",
        "text-1",
        "q1-text",
        "q1-code",
        "q1-answer",
        "q1-answer-2",
        "q1-check",
    ]


def test_the_lab_is_in_the_metadata_and_otter_is_not() -> None:
    assert finished()["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "ridgepoint": {"lab": "tiny/arithmetic", "bundle": "0" * 12},
    }


def test_outputs_and_tags_are_gone() -> None:
    cells = [cell for cell in finished()["cells"] if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in cells] == [[]] * len(cells)
    assert "tags" not in json.dumps(finished())


def test_a_question_s_cells_name_it() -> None:
    owners = [cell["metadata"].get("ridgepoint", {}).get("question") for cell in finished()["cells"]]
    assert owners == [None, None, "q1", "q1", "q1", "q1", "q1"]


def test_a_wrong_answer_stands_in_place_of_all_answer_cells() -> None:
    made = json.loads(notebooks.with_answer(notebooks.text_of(finished()), "q1", "x = 3"))
    assert [cell["source"] for cell in made["cells"] if "answer" in cell["id"]] == ["x = 3", ""]


def test_a_wrong_answer_to_no_question_is_an_error() -> None:
    with pytest.raises(KeyError):
        notebooks.with_answer(notebooks.text_of(finished()), "q2", "x = 3")


def test_a_solution_reads_like_code() -> None:
    source = (
        "def f():\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n"
        'x = 2  # SOLUTION\ny = 3 # SOLUTION NO PROMPT\n""" # BEGIN PROMPT\nz = ...\n"""; # END PROMPT'
    )
    assert notebooks.without_marks(source) == "def f():\n    return 1\nx = 2\ny = 3"
