import os
import subprocess
import sys
import zipfile
from pathlib import Path

import labkit
import numpy as np
import pytest
import torch
from labkit import checks

PUBLIC = """
from otter.test_files import test_case

OK_FORMAT = False

name = "q1"
points = None


@test_case(name="form", points=1, hidden=False, failure_message="It is missing.", success_message="There it is.")
def test_form(answer):
    assert answer == 42, f"answer is {answer}"


@test_case(name="env", points=1, hidden=False)
def test_env(env):
    assert "answer" in env


@test_case(name="secret", points=1, hidden=True)
def test_secret(answer):
    raise RuntimeError("a hidden case ran")
"""


def _check(answer: object) -> checks.CheckResult:
    return checks.Notebook({"q1": PUBLIC}).check("q1", {"answer": answer})


def test_public_checks_say_what_they_are_and_that_hidden_ones_remain() -> None:
    assert _check(42).summary == "q1: public checks: 2 of 2 passed. Hidden checks run when you submit."


def test_a_failed_check_shows_the_authors_sentence_then_its_own() -> None:
    text = str(_check(41))
    assert "1 of 2 passed" in text
    assert text.index("It is missing.") < text.index("AssertionError: answer is 41")


def test_the_html_shows_no_markup_of_the_learner() -> None:
    assert "<b>" not in _check("<b>")._repr_html_()


def test_hidden_cases_never_run_in_the_notebook() -> None:
    assert [case.name for case in _check(42).cases] == ["form", "env"]


def test_check_looks_at_the_names_of_its_caller() -> None:
    space: dict[str, object] = {"grader": checks.Notebook({"q1": PUBLIC}), "answer": 42}
    exec('result = grader.check("q1"); everything = grader.check_all()', space)  # noqa: S102 - a notebook's cell
    assert space["result"].passed == 2
    assert [result.passed for result in space["everything"]] == [2]


def test_an_unknown_question_is_named_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no question 'q9'; its questions are q1"):
        checks.Notebook({"q1": PUBLIC}).check("q9")


def test_the_checks_need_no_otter(tmp_path: Path) -> None:
    """As on Colab: labkit from a zip, otter-grader nowhere."""
    archive = tmp_path / "labkit.zip"
    package = Path(labkit.__file__).parent
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for path in package.glob("*.py"):
            made.write(path, f"labkit/{path.name}")
    assert archive.stat().st_size < 60_000
    code = (
        "import sys; sys.modules['otter'] = None\n"
        f"sys.path.insert(0, {str(archive)!r})\n"
        "import labkit.checks\n"
        f"print(labkit.checks.Notebook({{'q1': {PUBLIC!r}}}).check('q1', {{'answer': 42}}).passed)\n"
        "assert 'torch' not in sys.modules and 'matplotlib' not in sys.modules\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.stdout == "2\n", found.stderr


def test_the_same_seed_draws_the_same_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIDGEPOINT_SEED", "7")
    first, second, other = (checks.rng(salt).integers(0, 10**9, 4).tolist() for salt in ("a", "a", "b"))
    assert first == second
    assert first != other


def test_without_a_seed_inputs_are_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RIDGEPOINT_SEED", raising=False)
    assert checks.rng().integers(0, 10**18) != checks.rng().integers(0, 10**18)
    assert "RIDGEPOINT_SEED" not in os.environ


@pytest.mark.parametrize("value", [3, 3.0, np.float32(3), np.int64(3), torch.tensor(3.0), np.array([3.0])])
def test_a_number_may_come_as_any_kind_of_number(value: object) -> None:
    assert checks.number(value) == 3.0


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (None, "still missing"),
        (..., "still missing"),
        (True, "not a value of type bool"),
        ("3", "not a value of type str"),
        (float("nan"), "finite"),
        (np.ones(2), "not an array"),
        (torch.ones(2), "not an array"),
    ],
)
def test_what_is_no_number_is_told_apart(value: object, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        checks.number(value, "x")


@pytest.mark.parametrize("value", [[1, 2.0], (1, 2), np.array([1, 2]), torch.tensor([1.0, 2.0])])
def test_numbers_may_come_in_any_kind_of_list(value: object) -> None:
    assert checks.numbers(value) == [1.0, 2.0]


@pytest.mark.parametrize("value", [None, "12", {"a": 1}, 3, [1, None], [1]])
def test_what_is_no_list_of_enough_numbers_is_refused(value: object) -> None:
    with pytest.raises(AssertionError):
        checks.numbers(value, at_least=2)


def test_fields_name_the_keys_that_are_missing() -> None:
    with pytest.raises(AssertionError, match="d lacks 'b', 'c'"):
        checks.fields({"a": 1}, ("a", "b", "c"), "d")


@pytest.mark.parametrize("value", [None, [1], "a"])
def test_what_is_no_dictionary_is_refused(value: object) -> None:
    with pytest.raises(AssertionError):
        checks.fields(value, ("a",))


def test_positive_refuses_zero() -> None:
    with pytest.raises(AssertionError, match="above zero"):
        checks.positive(0)


@pytest.mark.parametrize(
    ("learner", "verdict"), [(1.0, True), (3.5, True), (0.3, True), (1000.0, False), (0.001, False)]
)
def test_timings_agree_within_a_wide_factor(learner: float, verdict: bool) -> None:
    assert checks.agrees(lambda: [learner], lambda: [1.0]) is verdict


def test_a_miss_is_measured_again_before_it_counts() -> None:
    noisy = iter([[100.0], [100.0], [1.2]])
    assert checks.agrees(lambda: next(noisy), lambda: [1.0])


def test_interference_in_some_samples_costs_nothing() -> None:
    assert checks.agrees(lambda: [50.0, 70.0, 1.1], lambda: [1.0, 30.0])


def test_a_recorded_number_must_have_the_right_order_of_magnitude() -> None:
    assert checks.plausible(8.0, 1.0)
    assert not checks.plausible(1000.0, 1.0)
