from __future__ import annotations

from pathlib import Path

import pytest

from graders.authoring.source import MAX_DATA_BYTES, read_source
from tests.drafts import LAB, MASTER, Draft


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    return Draft(tmp_path / "courses")


def faults(draft: Draft) -> list[str]:
    return [str(fault) for fault in read_source(draft.courses_dir, "tiny")[1]]


def test_the_tiny_course_has_no_faults(draft: Draft) -> None:
    assert faults(draft) == []


def test_it_says_which_courses_there_are(draft: Draft) -> None:
    source, [fault] = read_source(draft.courses_dir, "huge")
    assert source is None
    assert fault.message == "There is no course 'huge' in courses/; those that are: tiny."


def test_a_course_s_name_leads_nowhere_else(draft: Draft) -> None:
    assert read_source(draft.courses_dir / "tiny", "../tiny")[0] is None


def test_an_outcome_that_no_question_tests_is_a_fault(draft: Draft) -> None:
    draft.edit("course.yaml", "prerequisites:", "  - id: unused\n    text: Never asked.\nprerequisites:")
    line = draft.line("course.yaml", "unused")
    assert faults(draft) == [f"course.yaml:{line}: No lab question tests the outcome 'unused': name it in a lab.yaml."]


def test_an_unknown_outcome_is_a_fault(draft: Draft) -> None:
    draft.edit(f"{LAB}/lab.yaml", "outcomes: [bound]", "outcomes: [bound, bownd]")
    line = draft.line(f"{LAB}/lab.yaml", "q2:")
    assert faults(draft) == [f"{LAB}/lab.yaml:{line}: Question q2 names an outcome 'bownd' that course.yaml lacks."]


def test_a_lab_that_no_module_lists_is_a_fault(draft: Draft) -> None:
    draft.write("labs/other/lab.yaml", "title: x\n")
    assert "course.yaml:1: No module lists the lab 'other': list it or remove its folder." in faults(draft)


def test_a_lab_that_is_missing_is_a_fault(draft: Draft) -> None:
    draft.edit("course.yaml", "labs: [arithmetic]", "labs: [arithmetic, algebra]")
    line = draft.line("course.yaml", "- id: arithmetic")
    assert faults(draft) == [
        f"course.yaml:{line}: The module 'arithmetic' lists the lab 'algebra', but labs/algebra/ is missing."
    ]


def test_a_lesson_that_is_missing_and_one_that_nobody_lists_are_faults(draft: Draft) -> None:
    draft.edit("course.yaml", "lessons: []", "lessons: [first]")
    draft.write("lessons/second.md", "# Second\n")
    assert len(faults(draft)) == 2


def test_weight_on_what_the_course_lacks_is_a_fault(draft: Draft) -> None:
    draft.edit("course.yaml", "labs: 100", "labs: 60\n  quizzes: 40")
    assert "grading gives 40 percent to quizzes, and the course has none." in faults(draft)[0]


def test_a_missing_file_of_a_lab_is_a_fault(draft: Draft) -> None:
    draft.path(f"{LAB}/instructions.md").unlink()
    assert f"{LAB}/instructions.md:1: The file is missing: add it." in faults(draft)


def test_questions_of_notebook_and_lab_agree(draft: Draft) -> None:
    draft.edit(f"{LAB}/lab.yaml", "  q4:", "  q5:")
    found = faults(draft)
    assert any("has a question 'q5' that master.ipynb lacks" in fault for fault in found)
    assert any("has a question 'q4' that lab.yaml lacks" in fault for fault in found)


def test_a_question_without_planted_wrong_is_a_fault(draft: Draft) -> None:
    draft.path(f"{LAB}/wrong/keys_only.py").unlink()
    [fault] = faults(draft)
    line = draft.line(MASTER, "name: q3") - 1
    assert fault.startswith(f"{MASTER}:{line}: cell ")
    assert fault.endswith("Question q3 has no planted wrong solution in wrong/.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "Start with two lines"),
        ("# question: q9\n# mistake: none\nx = 1\n", "There is no question 'q9'"),
        ("# question: q1\n# mistake: none\nx = = 1\n", "This is not valid Python"),
        ("# question: q1\n# mistake: none\n", "There is no code under the header."),
    ],
)
def test_a_planted_wrong_has_a_header_and_code(draft: Draft, text: str, message: str) -> None:
    draft.write(f"{LAB}/wrong/more.py", text)
    assert message in str(faults(draft))


def test_data_fits_into_a_notebook(draft: Draft) -> None:
    draft.write(f"{LAB}/data/table.csv", "x" * (MAX_DATA_BYTES + 1))
    assert "fit into a notebook that needs no other" in faults(draft)[0]


def test_a_file_that_is_no_text_is_a_fault(draft: Draft) -> None:
    draft.path(f"{LAB}/lab.yaml").write_bytes(b"title: \xff\n")
    assert faults(draft)[0] == f"{LAB}/lab.yaml:1: The file is not UTF-8 text: save it as UTF-8."


def test_all_faults_come_in_one_run(draft: Draft) -> None:
    draft.edit("course.yaml", "title: A tiny course", "title: 7\ncolour: red")
    draft.edit(f"{LAB}/lab.yaml", "minutes: 10", "minutes: ten")
    draft.edit(f"{LAB}/wrong/inverted.py", "# question: q1", "# question: q7")
    draft.cells(lambda cells: cells.pop(0))
    found = faults(draft)
    assert sorted({fault.split(":")[0] for fault in found}) == [
        "course.yaml",
        f"{LAB}/lab.yaml",
        MASTER,
        f"{LAB}/wrong/inverted.py",
    ]
    assert len(found) == 6


def test_a_planted_wrong_is_a_student_s_code_without_the_header(draft: Draft) -> None:
    source, _ = read_source(draft.courses_dir, "tiny")
    assert source is not None
    [inverted] = [wrong for wrong in source.labs["arithmetic"].wrongs if wrong.file.endswith("inverted.py")]
    assert inverted.code == "def intensity(operations, traffic):\n    return traffic / operations"
