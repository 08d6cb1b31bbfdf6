"""`grader.check` in the student's notebook says what the server's report says of the public tests."""

from __future__ import annotations

import json
import re

import pytest

from graders.authoring.notebooks import with_answer
from graders.bundle import LabBundle
from graders.notebook import intake
from workers import engine
from workers.publishing import Workshop, compile_lab

pytestmark = pytest.mark.slow

INVERTED = "def intensity(operations, traffic):\n    return traffic / operations\n"


def notebook(bundle: LabBundle, which: str) -> str:
    if which == "wrong":
        return with_answer(bundle.solution, "q1", INVERTED)
    return bundle.starter if which == "starter" else bundle.solution


def shown(executed: bytes) -> dict[str, list[tuple[str, bool]]]:
    """For each question what its check cell printed: each case with whether it passed."""
    found = {}
    for cell in json.loads(executed)["cells"]:
        if cell["id"].endswith("-check"):
            text = "".join("".join(output.get("data", {}).get("text/plain", "")) for output in cell["outputs"])
            lines = re.findall(r"^  (passed|FAILED): (.+)$", text, re.MULTILINE)
            found[cell["id"].removesuffix("-check")] = [(name, verdict == "passed") for verdict, name in lines]
    return found


@pytest.mark.parametrize("which", ["solution", "starter", "wrong"])
def test_the_notebook_and_the_server_agree(workshop: Workshop, which: str) -> None:
    bundle = compile_lab(workshop, "tiny", "arithmetic")
    taken = intake.normalize(notebook(bundle, which).encode(), filename="a.ipynb", max_bytes=10**7)
    outcome = engine.grade(
        bundle,
        taken.notebook,
        seed=1,
        sandbox=workshop.sandbox,
        lab_python=workshop.lab_python,
        cache_dir=workshop.cache_dir,
        on_progress=lambda progress: None,
    )
    served = {
        question.name: [(test.name, test.passed) for test in question.tests if test.visibility == "public"]
        for question in outcome.report.questions
    }
    assert shown(outcome.executed) == served
