"""Real jails, real otter-grader, the tiny course."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from graders.authoring import testfile
from graders.authoring.faults import CourseFaults
from graders.bundle import LabBundle
from graders.notebook import intake
from tests.drafts import LAB, MASTER, Draft
from workers.publishing import Workshop, compile_course, compile_lab
from workers.publishing.compile import AssignFailed, UnknownLab

pytestmark = pytest.mark.slow


@pytest.fixture
def bundle(workshop: Workshop) -> LabBundle:
    return compile_lab(workshop, "tiny", "arithmetic")


def setup_source(notebook: str) -> str:
    return str(json.loads(notebook)["cells"][0]["source"])


def embedded_tests(notebook: str) -> dict[str, str]:
    for node in ast.parse(setup_source(notebook)).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_public_checks":
            found: dict[str, str] = ast.literal_eval(node.value)
            return found
    raise AssertionError("The setup cell has no public checks.")


def test_a_bundle_has_what_the_lab_says(bundle: LabBundle) -> None:
    assert (bundle.lab, bundle.title, bundle.max_score) == ("tiny/arithmetic", "Arithmetic of the roofline", 12)
    first = bundle.questions[0]
    assert (first.name, first.title, first.points) == ("q1", "Arithmetic intensity", 3)
    assert "labkit/checks.py" in bundle.library


@pytest.mark.parametrize("which", ["starter", "solution"])
def test_the_embedded_tests_are_exactly_the_public_ones(bundle: LabBundle, which: str) -> None:
    served = {
        question.name: [case.tree for case in testfile.cases(question.tests) if not case.hidden]
        for question in bundle.questions
    }
    embedded = embedded_tests(getattr(bundle, which))
    assert {name: [case.tree for case in testfile.cases(source)] for name, source in embedded.items()} == served


@pytest.mark.parametrize("which", ["starter", "solution"])
def test_no_hidden_test_can_be_read_in_a_notebook(bundle: LabBundle, which: str) -> None:
    text = "\n".join(cell["source"] for cell in json.loads(getattr(bundle, which))["cells"])
    hidden = [case for question in bundle.questions for case in testfile.cases(question.tests) if case.hidden]
    assert [case.function for case in hidden if f"{case.function}(" in text or f"'{case.name}'" in text] == []


def test_intake_knows_the_starter_s_lab_even_without_metadata(bundle: LabBundle) -> None:
    bare = json.loads(bundle.starter)
    bare["metadata"] = {}
    for notebook in (bundle.starter, json.dumps(bare)):
        assert intake.normalize(notebook.encode(), filename="a.ipynb", max_bytes=10**7).lab == "tiny/arithmetic"


def test_the_same_lab_gives_the_same_bundle_without_a_cache(
    workshop: Workshop, bundle: LabBundle, tmp_path: Path
) -> None:
    again = compile_lab(replace(workshop, cache_dir=tmp_path / "other"), "tiny", "arithmetic")
    assert again.digest == bundle.digest


def test_an_unchanged_lab_needs_no_jail(workshop: Workshop, bundle: LabBundle) -> None:
    nowhere = replace(workshop, lab_python=workshop.lab_python.with_name("no-python"))
    object.__setattr__(nowhere, "lab_packages", workshop.lab_packages)
    assert compile_lab(nowhere, "tiny", "arithmetic") == bundle


def test_another_hidden_test_is_another_bundle(workshop: Workshop, bundle: LabBundle, draft: Draft) -> None:
    draft.edit(MASTER, "assert cache_bytes(1, 1, 64, 10, 2)", "assert cache_bytes(1, 1, 32, 10, 2)")
    assert compile_lab(workshop, "tiny", "arithmetic").digest != bundle.digest


def test_data_files_come_with_the_bundle(workshop: Workshop, draft: Draft) -> None:
    draft.write(f"{LAB}/data/table.csv", "1,2\n")
    bundle = compile_lab(workshop, "tiny", "arithmetic")
    assert bundle.files == {"data/table.csv": b"1,2\n"}
    assert "_write_files" in setup_source(bundle.starter)


def test_a_hidden_assertion_in_the_text_is_refused(workshop: Workshop, draft: Draft) -> None:
    draft.edit(MASTER, "operations per byte.", "operations per byte. Hint: assert abs(ridge - 20.0) < 1e-9")
    with pytest.raises(CourseFaults, match="shows text of the hidden test 'the ridge' of q4"):
        compile_lab(workshop, "tiny", "arithmetic")


@pytest.mark.parametrize(("slug", "lab"), [("tiny", "algebra"), ("huge", "arithmetic"), ("tiny", "../labs/arithmetic")])
def test_an_unknown_lab_is_named(workshop: Workshop, slug: str, lab: str) -> None:
    with pytest.raises(UnknownLab, match="those that"):
        compile_lab(workshop, slug, lab)


def test_a_jail_without_an_answer_is_no_fault_of_the_author(workshop: Workshop, draft: Draft, tmp_path: Path) -> None:
    draft.edit(f"{LAB}/lab.yaml", "minutes: 10", "minutes: 11")
    broken = replace(workshop, lab_python=Path("/bin/true"), cache_dir=tmp_path / "cache")
    with pytest.raises(AssignFailed):
        compile_lab(broken, "tiny", "arithmetic")


def test_a_course_s_manifest_is_plain_and_stable(workshop: Workshop) -> None:
    one, two = compile_course(workshop, "tiny"), compile_course(workshop, "tiny")
    assert json.loads(json.dumps(one.manifest)) == two.manifest
    assert one.manifest["labs"]["arithmetic"]["questions"][3] == {
        "name": "q4",
        "title": "The ridge point",
        "points": 3.0,
        "outcomes": ["intensity"],
    }
    assert "<em>ridge point</em>" in one.manifest["labs"]["arithmetic"]["instructions"]


def test_a_course_with_faults_is_not_compiled(workshop: Workshop, draft: Draft) -> None:
    draft.edit("course.yaml", "id: cache-size", "id: cash-size")
    with pytest.raises(CourseFaults, match="cash-size"):
        compile_course(workshop, "tiny")
