from __future__ import annotations

import textwrap

from graders.authoring.faults import FaultList
from graders.authoring.schema import read_course, read_lab
from graders.bundle import MIB, LabLimits

COURSE = """
title: A course
summary: About something.
outcomes:
  - {id: bound, text: Bound it.}
prerequisites: [Python]
modules:
  - {id: one, title: One, summary: You can., labs: [roofline]}
grading: {labs: 100}
"""
LAB = """
title: A lab
summary: About something.
minutes: 60
questions:
  q1: {title: First, outcomes: [bound]}
device: Any.
"""


def course_faults(text: str) -> list[tuple[int, str]]:
    faults = FaultList("course.yaml")
    read_course(textwrap.dedent(text).lstrip("\n"), faults)
    return [(fault.line, fault.message) for fault in faults.faults]


def lab_faults(text: str) -> list[tuple[int, str]]:
    faults = FaultList("lab.yaml")
    read_lab(textwrap.dedent(text).lstrip("\n"), faults)
    return [(fault.line, fault.message) for fault in faults.faults]


def test_a_good_course_has_no_faults() -> None:
    assert course_faults(COURSE) == []


def test_a_good_lab_has_no_faults_and_default_limits() -> None:
    faults = FaultList("lab.yaml")
    lab = read_lab(LAB, faults)
    assert faults.faults == []
    assert lab is not None
    assert lab.limits == LabLimits()


def test_it_says_where_yaml_breaks() -> None:
    [(line, message)] = course_faults("title: a\nsummary: b: c\n")
    assert line == 2
    assert "not valid YAML" in message


def test_it_wants_a_mapping() -> None:
    assert course_faults("- a\n") == [(1, "course.yaml must be a mapping of names to values.")]


def test_it_names_an_unknown_field_with_its_line() -> None:
    assert course_faults(COURSE + "colour: red\n") == [
        (9, "course.yaml has no field 'colour': correct the name or remove it.")
    ]


def test_it_names_every_missing_field_in_one_run() -> None:
    messages = [message for _, message in course_faults("title: A course\n")]
    assert [
        name for name in ("summary", "outcomes", "prerequisites", "modules", "grading") if name in str(messages)
    ] == [
        "summary",
        "outcomes",
        "prerequisites",
        "modules",
        "grading",
    ]


def test_it_refuses_a_field_given_twice() -> None:
    assert (9, "course.yaml has 'title' twice: keep one.") in course_faults(COURSE + "title: again\n")


def test_a_number_is_no_text() -> None:
    assert course_faults(COURSE.replace("A course", "2026")) == [
        (1, "course.yaml: title must be text; a number or a yes needs quotes.")
    ]


def test_an_outcome_has_an_id_that_fits_into_an_address() -> None:
    [(line, message)] = course_faults(COURSE.replace("id: bound", "id: Bound It"))
    assert (line, "joined by hyphens" in message) == (4, True)


def test_the_same_outcome_twice_is_a_fault() -> None:
    twice = COURSE.replace("  - {id: bound, text: Bound it.}\n", "  - {id: bound, text: Bound it.}\n" * 2)
    assert course_faults(twice) == [(5, "The outcome 'bound' is listed twice: keep one.")]


def test_grading_adds_up_to_a_hundred() -> None:
    [(line, message)] = course_faults(COURSE.replace("labs: 100", "labs: 60"))
    assert (line, "60, not 100" in message) == (8, True)


def test_a_course_needs_a_module() -> None:
    empty = COURSE.replace("modules:\n  - {id: one, title: One, summary: You can., labs: [roofline]}", "modules: []")
    assert course_faults(empty) == [(6, "course.yaml: modules must not be empty.")]


def test_limits_may_be_written_with_units() -> None:
    lab = read_lab(LAB + "limits: {memory_bytes: 512 MiB, cell_s: 5}\n", FaultList("lab.yaml"))
    assert lab is not None
    assert (lab.limits.memory_bytes, lab.limits.cell_s) == (512 * MIB, 5.0)


def test_an_unknown_limit_is_a_fault() -> None:
    assert lab_faults(LAB + "limits:\n  cells_s: 5\n") == [
        (8, "limits has no field 'cells_s': correct the name or remove it.")
    ]


def test_a_limit_out_of_bounds_is_a_fault() -> None:
    [(line, message)] = lab_faults(LAB + "limits:\n  memory_bytes: 1 MiB\n")
    assert (line, message.startswith("limits: memory_bytes must be bytes")) == (8, True)


def test_a_cell_may_not_outlast_the_run() -> None:
    [(line, message)] = lab_faults(LAB + "limits:\n  run_s: 10\n  cell_s: 20\n")
    assert (line, "(cell_s)" in message) == (9, True)


def test_a_question_needs_an_outcome() -> None:
    assert lab_faults(LAB.replace("[bound]", "[]")) == [(5, "Question q1 tests no outcome: name at least one.")]


def test_a_question_has_a_name_that_python_can_say() -> None:
    [(line, message)] = lab_faults(LAB.replace("q1:", "Q-1:"))
    assert (line, "not 'Q-1'" in message) == (5, True)


def test_a_title_fits_into_a_report() -> None:
    assert course_faults(COURSE.replace("A course", "x" * 301)) == [
        (1, "course.yaml: title has 301 characters; 300 are allowed.")
    ]
