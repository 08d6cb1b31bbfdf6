"""Which cells a notebook has and where its questions are graded."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.notebook.plan import AT_END, checked_questions, may_define, plan


def code(source: str, **fields: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "metadata": {}, **fields}


def text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def answer(question: str, source: str = "x = 1") -> dict[str, Any]:
    return code(source, metadata={"ridgepoint": {"question": question}})


def check(question: str) -> dict[str, Any]:
    return code(f'grader.check("{question}")')


def notebook(*cells: dict[str, Any]) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_it_grades_each_question_after_its_check() -> None:
    nb = notebook(
        text("# Lab"), code("import math"), answer("q1"), check("q1"), text("## 2"), answer("q2"), check("q2")
    )
    assert plan(nb, ["q1", "q2"]).after == {3: ("q1",), 5: ("q2",)}


def test_it_numbers_code_cells_from_one_and_keeps_their_place_in_the_notebook() -> None:
    cells = plan(notebook(text("a"), code("x"), text("b"), code("y")), []).cells
    assert [(cell.number, cell.index, cell.source) for cell in cells] == [(1, 1, "x"), (2, 3, "y")]


def test_an_ordinary_notebook_has_no_notes() -> None:
    assert plan(notebook(answer("q1"), check("q1"), answer("q2"), check("q2")), ["q1", "q2"]).notes == ()


def test_it_grades_after_the_last_of_several_checks_and_says_so() -> None:
    planned = plan(notebook(answer("q1"), check("q1"), code("x = 2"), check("q1")), ["q1"])
    assert planned.after == {4: ("q1",)}
    assert planned.notes == (
        'grader.check("q1") stands in code cells 2 and 4: question q1 was graded after code cell 4, the last of them.',
    )


def test_a_hundred_copies_of_a_check_make_a_short_note() -> None:
    (note,) = plan(notebook(*[check("q1")] * 100), ["q1"]).notes
    assert "1, 2, 3, 4, 5, 94 more and 100" in note


def test_a_deleted_check_leaves_the_answer_cell_as_the_place() -> None:
    planned = plan(notebook(answer("q1"), code("y = 2")), ["q1"])
    assert planned.after == {1: ("q1",)}
    assert planned.notes == ('grader.check("q1") is in no cell: question q1 was graded after code cell 1.',)


def test_a_check_that_became_text_is_named_in_the_note() -> None:
    planned = plan(notebook(answer("q1"), text('grader.check("q1")')), ["q1"])
    assert planned.after == {1: ("q1",)}
    assert "a cell that is not a code cell" in planned.notes[0]


def test_a_commented_check_does_not_count() -> None:
    assert plan(notebook(answer("q1"), code('x = 1\n# grader.check("q1")')), ["q1"]).after == {1: ("q1",)}


def test_a_question_without_any_cell_is_graded_at_the_end() -> None:
    planned = plan(notebook(code("x = 1")), ["q1", "q2"])
    assert planned.after == {AT_END: ("q1", "q2")}
    assert planned.notes[0] == 'grader.check("q1") is in no cell: question q1 was graded at the end of the notebook.'


def test_an_empty_notebook_grades_everything_at_the_end() -> None:
    assert plan(notebook(), ["q1"]).after == {AT_END: ("q1",)}


def test_a_cell_id_tells_the_question_when_metadata_is_lost() -> None:
    nb = notebook(code("x = 1", id="q1-answer"), code("y = 2", id="q10-answer"))
    assert plan(nb, ["q1", "q10"]).after == {1: ("q1",), 2: ("q10",)}


def test_questions_in_another_order_are_graded_where_they_stand() -> None:
    planned = plan(notebook(answer("q2"), check("q2"), answer("q1"), check("q1")), ["q1", "q2"])
    assert planned.after == {2: ("q2",), 4: ("q1",)}
    assert planned.notes == ("Question q2 stands above question q1: each was graded where it stands.",)


def test_an_answer_below_its_check_is_graded_at_the_check_with_a_note() -> None:
    planned = plan(notebook(check("q1"), answer("q1")), ["q1"])
    assert planned.after == {1: ("q1",)}
    assert "without it" in planned.notes[0]


def test_several_questions_checked_in_one_cell_are_graded_in_the_labs_order() -> None:
    nb = notebook(code('for q in ("q1",): pass\ngrader.check("q2")\ngrader.check("q1")'))
    assert plan(nb, ["q1", "q2"]).after == {1: ("q1", "q2")}


@pytest.mark.parametrize("tag", ["skip-execution", "raises-exception", "remove_cell", "hide-input"])
def test_a_tag_never_hides_a_cell(tag: str) -> None:
    nb = notebook(code("x = 1", metadata={"tags": [tag]}), check("q1"))
    assert [cell.source for cell in plan(nb, ["q1"]).cells] == ["x = 1", 'grader.check("q1")']


def test_cells_work_for_the_question_that_follows() -> None:
    nb = notebook(
        code("import math"),
        answer("q1"),
        code("helper = 1"),
        check("q1"),
        code("scratch"),
        answer("q2"),
        check("q2"),
        code("bye"),
    )
    assert [cell.question for cell in plan(nb, ["q1", "q2"]).cells] == [None, "q1", "q1", "q1", "q2", "q2", "q2", None]


def test_the_setup_cell_works_for_no_question() -> None:
    nb = notebook(code("# ridgepoint-lab: course/lab\nimport labkit"), code("x = 1"), check("q1"))
    assert [cell.question for cell in plan(nb, ["q1"]).cells] == [None, "q1", "q1"]


@pytest.mark.parametrize(
    "source",
    [
        "grader.check('q1')",
        "g.check( 'q1' )",
        "self.graders[0].check('q1')",
        "grader.check(question='q1')",
        "result = grader.check('q1')",
        "%%time\ngrader.check('q1')",
        "%time grader.check('q1')",
        "%timeit -n 1 -r 1 grader.check('q1')",
        "!pip install torch\ngrader.check('q1')",
        "files = !ls\ngrader.check('q1')",
        "%matplotlib inline\nif True:\n    %load_ext x\n    grader.check('q1')",
        "grader.check?\ngrader.check('q1')",
        "def broken(:\n    pass\ngrader.check('q1')",
        "await grader.check('q1')",
        "print('unclosed\ngrader.check('q1')",
        "x = 1\x00\ngrader.check('q1')",
        "(" * 5_000 + "\ngrader.check('q1')",
        "#" * 300_000 + "\ngrader.check('q1')",
        "# note\r\ngrader.check('q1')",
        "s = '\\d'; grader.check('q1')",
    ],
)
def test_it_finds_the_check_in(source: str) -> None:
    assert checked_questions(source, ["q1"]) == ("q1",)


@pytest.mark.parametrize(
    "source",
    [
        "grader.check('q2')",
        "grader.check(name)",
        "grader.check()",
        "check('q1')",
        "grader.checks('q1')",
        "# grader.check('q1')",
        "x = 1  # grader.check('q1')",
        "text = \"grader.check('q1')\"",
        "%%bash\ngrader.check('q1')",
        "%%writefile notes.py\ngrader.check('q1')",
        "def broken(:\n# grader.check('q1')",
        "",
    ],
)
def test_it_finds_no_check_in(source: str) -> None:
    assert checked_questions(source, ["q1"]) == ()


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_an_answer_that_is_no_code_cell_any_more_is_told(kind: str) -> None:
    retyped = text("x = 1") | {"cell_type": kind, "metadata": {"ridgepoint": {"question": "q1", "role": "answer"}}}
    (note,) = plan(notebook(retyped, check("q1")), ["q1"]).notes
    assert note == (
        "A cell of question q1 is not a code cell any more, so it was not run: change its type back to Code."
    )


def test_the_authors_own_text_about_a_question_is_no_retyped_answer() -> None:
    own = text("## Question 1") | {"metadata": {"ridgepoint": {"question": "q1", "role": "text"}}}
    assert plan(notebook(own, answer("q1"), check("q1")), ["q1"]).notes == ()


@pytest.mark.parametrize(("source", "notes"), [("x = 1\n  %reset -f", 1), ("%reset_selective x", 0), ("# %reset", 0)])
def test_a_cell_that_forgets_everything_is_told(source: str, notes: int) -> None:
    planned = plan(notebook(code(source), answer("q1"), check("q1")), ["q1"])
    assert ["has %reset" in note for note in planned.notes] == [True] * notes


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "a, x = 1, 2",
        "x: int = 3",
        "import numpy as x",
        "from math import (pi, x)",
        "def x(): pass",
        "  x = (1,",
        "class x:",
        "broken(\nx = 2",
    ],
)
def test_a_cell_may_define_a_name_by(source: str) -> None:
    assert may_define(source, "x")


@pytest.mark.parametrize("source", ["print(x)", "print(x, end='')", "y = x", "# x = 1", "xx = 1", "if y: x", ""])
def test_a_cell_does_not_define_a_name_by(source: str) -> None:
    assert not may_define(source, "x")


cells = st.builds(
    lambda kind, source, cell_id, question: {
        "cell_type": kind,
        "source": source,
        "id": cell_id,
        "metadata": {"ridgepoint": {"question": question}},
    },
    st.sampled_from(["code", "markdown", "raw"]),
    st.one_of(st.text(max_size=60), st.sampled_from(['grader.check("q1")', '%%time\ng.check("q2")', "check(("])),
    st.sampled_from(["q1", "q1-check", "x", "q3-"]),
    st.sampled_from([None, "q1", "q2", "other", 3, []]),
)


@given(st.lists(cells, max_size=8))
def test_every_question_is_graded_exactly_once_and_every_code_cell_is_planned(drawn: list[dict[str, Any]]) -> None:
    planned = plan(notebook(*drawn), ["q1", "q2", "q3"])
    assert sorted(q for names in planned.after.values() for q in names) == ["q1", "q2", "q3"]
    assert [cell.index for cell in planned.cells] == [i for i, c in enumerate(drawn) if c["cell_type"] == "code"]
    assert set(planned.after) <= {AT_END, *(cell.number for cell in planned.cells)}
