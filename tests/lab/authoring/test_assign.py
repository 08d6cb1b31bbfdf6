"""otter-grader's assign machinery on a real master notebook, and what a student's machine makes of the result."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from otter.test_files.exception_test import ExceptionTestFile

from graders.authoring import assign, notebooks, setup_cell, testfile

ROOT = Path(__file__).resolve().parents[3]
LAB = ROOT / "tests" / "courses" / "tiny" / "labs" / "arithmetic"
LIBRARY = ROOT / "courses" / "labkit" / "src" / "labkit"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return assign.assign(LAB / "master.ipynb")


@pytest.fixture(scope="module")
def library() -> dict[str, str]:
    return {f"labkit/{path.name}": path.read_text() for path in LIBRARY.glob("*.py")}


def master(tmp_path: Path, test: str) -> Path:
    """A master notebook of one question whose one test cell has this source."""
    raw = ["# ASSIGNMENT CONFIG\ntests:\n  ok_format: false", "# BEGIN QUESTION\nname: q1", "# BEGIN SOLUTION"]
    cells = [{"cell_type": "raw", "metadata": {}, "source": source} for source in raw]
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells.append({**code, "source": "x = 1  # SOLUTION"})
    cells += [{"cell_type": "raw", "metadata": {}, "source": s} for s in ("# END SOLUTION", "# BEGIN TESTS")]
    cells.append({**code, "source": test})
    cells += [{"cell_type": "raw", "metadata": {}, "source": s} for s in ("# END TESTS", "# END QUESTION")]
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    path = tmp_path / "master.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}))
    return path


def finished(made: dict[str, Any], which: str, library: dict[str, str]) -> notebooks.Notebook:
    public = {name: testfile.public_part(source) for name, source in made["tests"].items()}
    version = ast.literal_eval(library["labkit/__init__.py"].split("__version__ = ")[1].split("\n")[0])
    setup = setup_cell.setup_source("tiny/arithmetic", public, library, version, {})
    return notebooks.finish(made[which], lab="tiny/arithmetic", bundle="0" * 12, setup=setup)


def checked(notebook: notebooks.Notebook, folder: Path) -> list[list[bool]]:
    """Runs a notebook's cells in a bare interpreter of its own; for each check cell, which cases passed."""
    cells = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    program = (
        "import json, sys\nnames, found = {}, []\n"
        "for source in json.load(sys.stdin):\n"
        "    if source.startswith('grader.check'):\n"
        "        found.append([case.passed for case in eval(source, names).cases])\n"
        "    else:\n        exec(source, names)\n"
        "print(json.dumps(found))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(cells), text=True, capture_output=True, cwd=folder, check=True
    )
    return json.loads(done.stdout)


def test_the_starter_asks_and_the_solution_answers(made: dict[str, Any]) -> None:
    answers = {
        which: next(cell["source"] for cell in made[which]["cells"] if "def attainable" in cell["source"])
        for which in ("starter", "solution")
    }
    assert "min(" not in answers["starter"]
    assert "return min(peak, bandwidth * intensity)" in answers["solution"]


def test_otter_reads_the_test_files_with_names_points_and_messages(made: dict[str, Any]) -> None:
    file = ExceptionTestFile.from_string(made["tests"]["q4"])
    assert [(case.name, case.points, case.hidden) for case in file.test_cases] == [
        ("form", 1, False),
        ("the ridge", 1, True),
        ("the bound", 1, True),
    ]
    assert file.test_cases[1].success_message == "You found the corner of the roof."


def test_a_message_may_hold_quotes_and_lines(tmp_path: Path) -> None:
    test = (
        '""" # BEGIN TEST CONFIG\npoints: 1\nfailure_message: |\n  It is "one",\n  isn\'t it?\n""" # END TEST CONFIG\n'
        "def test_it(x):\n    # a comment stays\n    assert x == 1\n"
    )
    source = assign.assign(master(tmp_path, test))["tests"]["q1"]
    case = ExceptionTestFile.from_string(source).test_cases[0]
    assert case.failure_message == 'It is "one",\nisn\'t it?'
    assert "# a comment stays" in source


def test_the_solution_passes_its_public_checks_where_labkit_is_not_installed(
    made: dict[str, Any], library: dict[str, str], tmp_path: Path
) -> None:
    assert checked(finished(made, "solution", library), tmp_path) == [[True]] * 4


def test_the_starter_passes_none(made: dict[str, Any], library: dict[str, str], tmp_path: Path) -> None:
    assert checked(finished(made, "starter", library), tmp_path) == [[False]] * 4


def test_an_installed_labkit_of_another_version_gives_way(
    made: dict[str, Any], library: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "labkit").mkdir()
    (tmp_path / "labkit" / "__init__.py").write_text('__version__ = "0.0.0"\n')
    notebook = finished(made, "solution", library)
    assert checked(notebook, tmp_path) == [[True]] * 4


def test_an_installed_labkit_of_the_same_version_is_used(
    made: dict[str, Any], library: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "labkit").mkdir()
    (tmp_path / "labkit" / "__init__.py").write_text(library["labkit/__init__.py"])
    (tmp_path / "labkit" / "checks.py").write_text(library["labkit/checks.py"])
    notebook = finished(made, "solution", library)
    notebook["cells"].append(
        {"cell_type": "code", "source": f"assert labkit.__path__ == [{str(tmp_path / 'labkit')!r}]"}
    )
    assert checked(notebook, tmp_path) == [[True]] * 4


def test_data_files_come_out_of_the_setup_cell(made: dict[str, Any], library: dict[str, str], tmp_path: Path) -> None:
    public = {name: testfile.public_part(source) for name, source in made["tests"].items()}
    files = {"data/table.csv": b"1,2\n", "data/mine.csv": b"theirs\n"}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.csv").write_text("mine\n")
    source = setup_cell.setup_source("tiny/arithmetic", public, library, "another", files)
    checked({"cells": [{"cell_type": "code", "source": source}]}, tmp_path)
    assert (tmp_path / "data" / "table.csv").read_bytes() == b"1,2\n"
    assert (tmp_path / "data" / "mine.csv").read_text() == "mine\n"


def test_the_jail_program_answers_on_descriptor_3(tmp_path: Path) -> None:
    (tmp_path / "master.ipynb").write_bytes((LAB / "master.ipynb").read_bytes())
    assert set(answer(tmp_path)) == {"starter", "solution", "tests"}


def test_the_jail_program_answers_with_what_otter_refuses(tmp_path: Path) -> None:
    (tmp_path / "master.ipynb").write_text("{}")
    assert answer(tmp_path)["error"].startswith("otter-grader refuses the notebook: ")


def answer(folder: Path) -> dict[str, Any]:
    out = folder / "out"
    command = f'exec "{sys.executable}" -m graders.authoring.assign 3> "{out}"'
    subprocess.run(
        ["/bin/bash", "-c", command], cwd=folder, env={"PYTHONPATH": str(ROOT), "HOME": str(folder)}, check=True
    )
    data = out.read_bytes()
    assert int.from_bytes(data[:8], "big") == len(data) - 8
    return json.loads(data[8:])
