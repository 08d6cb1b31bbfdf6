"""A course's proofs, run for real: two jails for each notebook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.drafts import LAB, MASTER, Draft
from workers import engine
from workers.publishing import Workshop, check_course, compile_lab

pytestmark = pytest.mark.slow


def faults(workshop: Workshop) -> list[str]:
    return [str(fault) for fault in check_course(workshop, "tiny", times=1, jobs=2)]


def test_the_tiny_course_proves_itself(workshop: Workshop) -> None:
    assert faults(workshop) == []


def test_what_held_before_is_not_run_again(workshop: Workshop, said: tuple[list[str], Callable[[str], None]]) -> None:
    lines, say = said
    assert faults(workshop) == []
    check_course(workshop, "tiny", times=1, say=say)
    assert lines == ["tiny/arithmetic: 6 proofs held before, with the same content"]


def test_fresh_runs_it_again(workshop: Workshop, said: tuple[list[str], Callable[[str], None]]) -> None:
    lines, say = said
    check_course(workshop, "tiny", times=2, fresh=True, say=say)
    assert [line.split(": ")[2] for line in lines] == [
        "solution, seed 1",
        "solution, seed 2",
        "starter",
        "wrong/always_memory.py",
        "wrong/inverted.py",
        "wrong/keys_only.py",
        "wrong/upside_down.py",
    ]


def test_proofs_run_side_by_side_come_to_the_same(workshop: Workshop) -> None:
    assert check_course(workshop, "tiny", times=1, fresh=True, jobs=3) == []


def test_a_machine_that_fails_ends_the_proofs(workshop: Workshop) -> None:
    compile_lab(workshop, "tiny", "arithmetic")
    broken = replace(workshop, lab_python=Path("/bin/true"))
    object.__setattr__(broken, "lab_packages", workshop.lab_packages)
    with pytest.raises(engine.InfrastructureFault):
        check_course(broken, "tiny", times=1, fresh=True, jobs=2)


def test_a_solution_below_full_marks_is_a_fault(workshop: Workshop, draft: Draft) -> None:
    draft.edit(MASTER, "assert cache_bytes(1, 1, 64, 10, 2) == 2 * 64", "assert cache_bytes(1, 1, 64, 10, 2) == 3 * 64")
    found = faults(workshop)
    line = draft.line(MASTER, "name: q3") - 1
    assert found[0].startswith(f"{MASTER}:{line}: cell 24, line 1: The solution gets 2 of 3 points in q3 (seed 1): ")


def test_a_solution_whose_cell_fails_is_a_fault(workshop: Workshop, draft: Draft) -> None:
    draft.cells(lambda cells: cells[2].update(source=[*cells[2]["source"], "\n1 / 0"]))
    assert any("The solution's code cell 2 fails: ZeroDivisionError" in fault for fault in faults(workshop))


def test_a_starter_above_zero_is_a_fault(workshop: Workshop, draft: Draft) -> None:
    draft.edit(MASTER, "return operations / traffic  # SOLUTION", "return operations / traffic")
    [fault] = faults(workshop)
    assert "The starter already gets 3 points in q1: 'a number', 'drawn shapes' passes." in fault


def test_a_wrong_that_keeps_its_marks_is_a_fault(workshop: Workshop, draft: Draft) -> None:
    draft.edit(f"{LAB}/wrong/inverted.py", "traffic / operations", "operations / traffic")
    found = faults(workshop)
    assert found[-1].startswith(f"{LAB}/wrong/inverted.py:1: This wrong solution keeps all marks of q1")
    assert "No planted wrong solution of q1 fails the hidden test 'drawn shapes': plant one." in found[0]


def test_a_wrong_that_loses_others_marks_is_a_fault(workshop: Workshop, draft: Draft) -> None:
    draft.edit(f"{LAB}/wrong/inverted.py", "def intensity", "BANDWIDTH = 1.0\ndef intensity")
    [fault] = faults(workshop)
    assert fault.startswith(f"{LAB}/wrong/inverted.py:1: This wrong solution of q1 also loses 1 points in q4: ")


def test_a_hidden_test_that_no_wrong_fails_is_a_fault(workshop: Workshop, draft: Draft) -> None:
    draft.edit(f"{LAB}/wrong/upside_down.py", 'bound_by = "compute"', 'bound_by = "memory"')
    line = draft.line(MASTER, "name: the bound") - 1
    [fault] = faults(workshop)
    assert fault.startswith(f"{MASTER}:{line}: cell 43, line 1: No planted wrong solution of q4 fails the hidden test")


def test_a_lab_with_faults_of_its_own_is_not_run(
    workshop: Workshop, draft: Draft, said: tuple[list[str], Callable[[str], None]]
) -> None:
    lines, say = said
    draft.edit(f"{LAB}/lab.yaml", "minutes: 10", "minutes: soon")
    draft.edit(f"{LAB}/instructions.md", "Open the", "Open [the](missing.md)")
    draft.edit(f"{LAB}/wrong/inverted.py", "# mistake", "# misstake")
    found = check_course(workshop, "tiny", times=1, say=say)
    assert [fault.file.split("/")[-1] for fault in found] == [
        "instructions.md",
        "lab.yaml",
        "master.ipynb",
        "inverted.py",
    ]
    assert lines == []
