"""Every notebook of the corpus gets the grade that it deserves, or the one sentence that its student needs."""

from __future__ import annotations

import pytest

from tests.notebooks.case import Case, all_cases


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=[pytest.mark.slow] if case.executes else []) for case in all_cases()],
)
def test_what_the_student_is_told(case: Case) -> None:
    assert case.faults(case.told()) == []
