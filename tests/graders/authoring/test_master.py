from __future__ import annotations

import json
from typing import Any

import pytest

from graders.authoring.faults import Fault, FaultList
from graders.authoring.master import Master, read_master
from tests.drafts import MASTER, TINY

CONFIG = '""" # BEGIN TEST CONFIG\npoints: 1\nfailure_message: No.\n{more}""" # END TEST CONFIG\n'
TEST = CONFIG + "def test_{name}(x):\n    pass\n"
PUBLIC = TEST.format(more="", name="form")
HIDDEN = TEST.format(more="hidden: true\n", name="idea")


def cell(kind: str, source: str) -> dict[str, Any]:
    lines = source.splitlines(keepends=True)
    made: dict[str, Any] = {"cell_type": kind, "metadata": {}, "source": lines}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def question(*tests: str, head: str = "name: q1", answer: str = "x = 1  # SOLUTION") -> list[dict[str, Any]]:
    return [
        cell("raw", f"# BEGIN QUESTION\n{head}"),
        cell("markdown", "Say x."),
        cell("raw", "# BEGIN SOLUTION"),
        cell("code", answer),
        cell("raw", "# END SOLUTION"),
        cell("raw", "# BEGIN TESTS"),
        *(cell("code", test) for test in tests),
        cell("raw", "# END TESTS"),
        cell("raw", "# END QUESTION"),
    ]


def read(*cells: dict[str, Any]) -> tuple[Master | None, list[Fault]]:
    config = cell("raw", "# ASSIGNMENT CONFIG\ntests:\n  ok_format: false")
    return read_text(
        json.dumps({"cells": [config, *cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    )


def read_text(text: str) -> tuple[Master | None, list[Fault]]:
    faults = FaultList("master.ipynb")
    return read_master(text, faults), faults.faults


def messages(*cells: dict[str, Any]) -> list[str]:
    return [fault.message for fault in read(*cells)[1]]


def test_it_reads_the_tiny_lab_without_faults() -> None:
    master, faults = read_text((TINY / MASTER).read_text())
    assert faults == []
    assert master is not None
    assert [(item.name, item.max_points, item.answers) for item in master.questions] == [
        ("q1", 3, 1),
        ("q2", 3, 1),
        ("q3", 3, 1),
        ("q4", 3, 1),
    ]


def test_a_fault_names_the_line_of_the_file_and_of_the_cell() -> None:
    text = (TINY / MASTER).read_text().replace("points: 2\\n", "points: two\\n", 1)
    [fault] = read_text(text)[1]
    assert fault.line == 1 + text[: text.index("points: two")].count("\n")
    assert fault.message == "cell 11, line 3: A test's config: points must be a number from 0 to 1000."


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": 1, "nbformat": 4}', '{"cells": [], "nbformat": 3}'])
def test_it_says_that_a_file_is_no_notebook(text: str) -> None:
    master, [fault] = read_text(text)
    assert master is None
    assert fault.message.startswith("This is not a notebook of format 4")


def test_it_wants_the_assignment_config() -> None:
    text = json.dumps({"cells": question(PUBLIC, HIDDEN), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert "lacks a raw cell `# ASSIGNMENT CONFIG`" in read_text(text)[1][0].message


def test_it_wants_tests_that_raise() -> None:
    text = json.dumps({"cells": [cell("raw", "# ASSIGNMENT CONFIG"), *question(PUBLIC, HIDDEN)], "nbformat": 4})
    assert "ok_format: false" in read_text(text)[1][0].message


def test_it_wants_a_hidden_test() -> None:
    assert messages(*question(PUBLIC)) == [
        "cell 2, line 1: Question q1 has no hidden test: only one can tell that the idea is right."
    ]


def test_it_wants_a_public_test() -> None:
    assert messages(*question(HIDDEN)) == [
        "cell 2, line 1: Question q1 has no public test: a student can't see that the form is right."
    ]


def test_it_wants_a_failure_message_of_every_test() -> None:
    silent = PUBLIC.replace("failure_message: No.\n", "")
    assert messages(*question(silent, HIDDEN)) == ["cell 8, line 2: A test's config lacks 'failure_message': add it."]


def test_points_of_a_question_are_those_of_its_tests() -> None:
    found = messages(*question(PUBLIC, HIDDEN, head="name: q1\npoints: 3"))
    assert found == ["cell 2, line 1: Question q1 says 3 points; its tests add up to 2."]


def test_two_tests_of_one_question_need_two_functions() -> None:
    again = HIDDEN.replace("points", "name: again\npoints")
    assert messages(*question(PUBLIC, HIDDEN, again)) == [
        "cell 10, line 1: Two tests of q1 have the function 'test_idea': rename one."
    ]


def test_two_questions_need_two_names() -> None:
    found = messages(*question(PUBLIC, HIDDEN), *question(PUBLIC, HIDDEN))
    assert found == ["cell 12, line 1: There are two questions 'q1': rename one."]


def test_a_question_is_worth_something() -> None:
    free = [test.replace("points: 1", "points: 0") for test in (PUBLIC, HIDDEN)]
    assert messages(*question(*free)) == ["cell 2, line 1: Question q1 is worth nothing: give its tests points."]


def test_manual_questions_are_not_graded_here() -> None:
    found = messages(*question(PUBLIC, HIDDEN, head="name: q1\nmanual: true"))
    assert found == ["cell 2, line 3: A question has no field 'manual': correct the name or remove it."]


def test_a_test_cell_holds_one_function() -> None:
    found = messages(*question("import math\n".join(PUBLIC.partition("def")[::2]), HIDDEN))
    assert any("one plain function" in message or "not valid Python" in message for message in found)


def test_a_test_cell_starts_with_its_config() -> None:
    assert 'starts with `""" # BEGIN TEST CONFIG`' in messages(*question("def test_x(x):\n    pass", HIDDEN))[0]


def test_an_answer_must_be_python() -> None:
    assert messages(*question(PUBLIC, HIDDEN, answer="x = = 1")) == [
        "cell 5, line 1: This code cell is not valid Python."
    ]


def test_magics_are_no_faults() -> None:
    assert messages(cell("code", "%matplotlib inline\n!ls\nx = 1"), *question(PUBLIC, HIDDEN)) == []


def test_a_block_without_end_is_named_where_it_begins() -> None:
    assert "This question block has no end: add a raw cell `# END QUESTION`." in str(
        messages(*question(PUBLIC, HIDDEN)[:-1])
    )


def test_an_end_without_begin_is_a_fault() -> None:
    found = messages(*question(PUBLIC, HIDDEN), cell("raw", "# END QUESTION"))
    assert found == ["cell 12, line 1: This ends a question block that is not open, outside a question."]


def test_a_block_outside_a_question_is_a_fault() -> None:
    found = messages(cell("raw", "# BEGIN TESTS"), cell("raw", "# END TESTS"), *question(PUBLIC, HIDDEN))
    assert found == ["cell 2, line 1: A tests block can't begin here, outside a question."]


def test_a_stray_raw_cell_is_a_fault() -> None:
    assert "neither a block's begin or end" in messages(cell("raw", "# BEGN QUESTION"), *question(PUBLIC, HIDDEN))[0]


def test_every_fault_is_found_in_one_run() -> None:
    found = messages(*question(PUBLIC), *question(HIDDEN, head="name: q2\nmanual: true", answer="x ="))
    assert len(found) == 4
