from __future__ import annotations

from graders import report as reports
from graders.notebook.feedback import for_student
from workers.management.terminal import report_text

REPORT = reports.Report(
    lab="tiny/arithmetic",
    bundle="0" * 64,
    status="complete",
    score=1.0,
    max_score=3.0,
    questions=(
        reports.QuestionResult(
            name="q1",
            title="Arithmetic intensity",
            points=1.0,
            max_points=3.0,
            tests=(
                reports.TestResult("a number", "public", True, 1.0, 1.0),
                reports.TestResult("drawn shapes", "hidden", False, 0.0, 2.0, "Is it operations per byte?"),
            ),
        ),
    ),
    cells=reports.Cells(
        3, 2, (reports.CellFailure(3, "q1", "error", "ZeroDivisionError", "Cell 3 raised ZeroDivisionError."),)
    ),
    timing=reports.Timing(total_s=1.25),
    notes=("The notebook was upgraded.",),
)


def test_it_says_the_score_of_everything() -> None:
    lines = report_text(REPORT, "Arithmetic").splitlines()
    assert lines[0] == "Arithmetic (tiny/arithmetic): 1 of 3 points"
    assert [" ".join(line.split()) for line in lines[3:7]] == [
        "q1 Arithmetic intensity 1 of 3",
        "✓ a number 1 of 1",
        "✗ drawn shapes (hidden) 0 of 2",
        "Is it operations per byte?",
    ]


def test_it_counts_public_and_hidden_checks_apart() -> None:
    assert report_text(REPORT, "Arithmetic").splitlines()[1] == "The public check passed; hidden checks: 0 of 1."


def test_a_students_copy_calls_a_hidden_check_hidden_once() -> None:
    assert "Hidden check 1 (hidden)" not in report_text(for_student(REPORT), "Arithmetic")


def test_it_names_the_cells_that_failed() -> None:
    assert "  Cell 3 raised ZeroDivisionError." in report_text(REPORT, "Arithmetic").splitlines()


def test_it_ends_with_a_line_of_times() -> None:
    assert report_text(REPORT, "Arithmetic").splitlines()[-1].startswith("Time: 1.2 s")
