"""Errors that come from where a notebook is graded get a sentence that says what to do; a student's own get none."""

from __future__ import annotations

import pytest

from graders.notebook.advice import advice


@pytest.mark.parametrize(
    ("error", "todo"),
    [
        ("ModuleNotFoundError: No module named 'google'", "exists only in Colab"),
        ("ModuleNotFoundError: No module named 'google.colab'", "exists only in Colab"),
        ("ModuleNotFoundError: No module named 'seaborn.objects'", "seaborn.objects is not there"),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/content/a.csv'", "by their bare names"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'C:\\\\a.csv'", "by their bare names"),
        ("PermissionError: [Errno 13] Permission denied: '/data'", "by their bare names"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'", "only the lab's own files"),
        ("FileNotFoundError: a.csv not found.", "only the lab's own files"),
        ("NameError: name 'grader' is not defined", "copy that cell back"),
        ("NameError: name 'spark' is not defined", "only in Databricks"),
        ("gaierror: [Errno -3] Temporary failure in name resolution", "no network"),
        ("PermissionError: [Errno 1] Operation not permitted", "may not do that"),
        ("RuntimeError: Found no NVIDIA driver on your system.", "no GPU"),
        ("SystemExit: 1", "remove the call"),
    ],
)
def test_it_says_what_to_do_about(error: str, todo: str) -> None:
    assert todo in advice(*error.split(": ", 1))


@pytest.mark.parametrize(
    "error",
    [
        "ZeroDivisionError: division by zero",
        "NameError: name 'x' is not defined",
        "ValueError: {braces} and 'quotes'",
        "TypeError: ",
    ],
)
def test_it_has_nothing_to_say_about(error: str) -> None:
    assert advice(*error.split(": ", 1)) == ""


def test_what_a_student_names_is_not_read_as_a_template() -> None:
    assert "{0.__class__}" not in advice("FileNotFoundError", "[Errno 2] No such file or directory: '/{0.__class__}'")
