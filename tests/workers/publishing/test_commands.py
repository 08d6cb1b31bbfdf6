"""The authors' commands as an author starts them: processes of their own, real jails, a database only where due."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from graders.notebook import intake
from graders.report import Report
from tests.drafts import LAB, Draft
from workers.publishing import Workshop, compile_lab

pytestmark = pytest.mark.slow


class Terminal:
    def __init__(self, draft: Draft, data: Path, cache: Path) -> None:
        self.folder = data
        (data / "data").mkdir()
        (data / "data" / "cache").symlink_to(cache)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(data),
            "DJANGO_SETTINGS_MODULE": "server.settings.test",
            "RIDGEPOINT_COURSES_DIR": str(draft.courses_dir),
            "RIDGEPOINT_DATA_DIR": str(data / "data"),
            "RIDGEPOINT_LAB_PYTHON": str(settings.LAB_PYTHON),
            "DATABASE_URL": "postgres://nobody:none@127.0.0.1:1/nowhere",
        }

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(settings.ROOT / "manage.py"), *arguments]
        return subprocess.run(  # exit codes are what is tested
            command, cwd=self.folder, env={**self.env, **env}, capture_output=True, text=True, timeout=240, check=False
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(settings.ROOT / "manage.py"), *arguments]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def notebook(self, text: str, name: str = "mine.ipynb") -> str:
        (self.folder / name).write_text(text)
        return name


@pytest.fixture
def terminal(draft: Draft, tmp_path: Path, shared_cache: Path) -> Terminal:
    return Terminal(draft, tmp_path, shared_cache)


@pytest.fixture
def starter(workshop: Workshop) -> str:
    return compile_lab(workshop, "tiny", "arithmetic").starter


@pytest.fixture
def solution(workshop: Workshop) -> str:
    return compile_lab(workshop, "tiny", "arithmetic").solution


def one_sentence(text: str) -> bool:
    return text.endswith(".\n") and text.count("\n") == 1 and "Traceback" not in text


def test_json_is_the_report_and_nothing_else(terminal: Terminal, solution: str) -> None:
    done = terminal.run("grade", "tiny/arithmetic", terminal.notebook(solution), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = Report.from_dict(json.loads(done.stdout))
    assert (report.status, report.score, report.max_score) == ("complete", 12, 12)
    assert [len(question.tests) for question in report.questions] == [2, 2, 3, 3]
    assert report.timing.queued_s == 0
    assert 0 < report.timing.started_s < report.timing.started_s + report.timing.total_s


def test_a_starter_is_graded_too_and_scores_nothing(terminal: Terminal, starter: str) -> None:
    done = terminal.run("grade", "tiny/arithmetic", terminal.notebook(starter))
    assert done.returncode == 0
    assert done.stdout.startswith("Arithmetic of the roofline (tiny/arithmetic): 0 of 12 points\n")


def test_a_seed_reproduces_a_report(terminal: Terminal, solution: str) -> None:
    name = terminal.notebook(solution)
    reports = [
        json.loads(terminal.run("grade", "tiny/arithmetic", name, "--json", "--seed", "7").stdout)["questions"]
        for _ in range(2)
    ]
    assert reports[0] == reports[1]


@pytest.mark.parametrize(
    ("content", "word"),
    [("", "empty"), ("PK\x03\x04", "ZIP"), ("x = 1\n", "notebook"), ('{"cells": []}', "notebook")],
)
def test_what_is_no_notebook_is_refused_in_one_sentence(terminal: Terminal, content: str, word: str) -> None:
    done = terminal.run("grade", "tiny/arithmetic", terminal.notebook(content))
    assert (done.returncode, done.stdout) == (2, "")
    assert one_sentence(done.stderr)
    assert word in done.stderr


def test_another_lab_s_notebook_is_refused(terminal: Terminal, solution: str) -> None:
    other = solution.replace("tiny/arithmetic", "tiny/algebra")
    done = terminal.run("grade", "tiny/arithmetic", terminal.notebook(other))
    assert done.returncode == 2
    assert one_sentence(done.stderr)
    assert "tiny/algebra" in done.stderr
    assert "tiny/arithmetic" in done.stderr


@pytest.mark.parametrize(
    ("lab", "name"),
    [
        ("tiny/algebra", "mine.ipynb"),
        ("huge/arithmetic", "mine.ipynb"),
        ("tiny", "mine.ipynb"),
        ("tiny/arithmetic", "no"),
    ],
)
def test_what_is_not_there_is_named_in_one_sentence(terminal: Terminal, solution: str, lab: str, name: str) -> None:
    terminal.notebook(solution)
    done = terminal.run("grade", lab, name)
    assert (done.returncode, done.stdout) == (2, "")
    assert one_sentence(done.stderr)


def test_a_machine_without_lab_environment_is_no_fault_of_the_student(terminal: Terminal, solution: str) -> None:
    terminal.env["RIDGEPOINT_LAB_PYTHON"] = "/nowhere/python"
    done = terminal.run("grade", "tiny/arithmetic", terminal.notebook(solution))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.split("\n")[0].endswith(".")
    assert "Traceback" not in done.stderr


def test_a_broken_lab_is_no_fault_of_the_student(terminal: Terminal, draft: Draft, solution: str) -> None:
    draft.edit(f"{LAB}/lab.yaml", "minutes: 10", "minutes: soon")
    done = terminal.run("grade", "tiny/arithmetic", terminal.notebook(solution))
    assert (done.returncode, done.stdout) == (3, "")
    assert "courses/tiny/labs/arithmetic/lab.yaml:3: lab.yaml: minutes must be a number" in done.stderr


def test_lab_starter_writes_what_intake_knows(terminal: Terminal) -> None:
    done = terminal.run("lab", "starter", "tiny/arithmetic", "-o", "starter.ipynb")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    data = (terminal.folder / "starter.ipynb").read_bytes()
    assert intake.normalize(data, filename="starter.ipynb", max_bytes=10**7).lab == "tiny/arithmetic"


def test_lab_solution_goes_to_standard_output(terminal: Terminal, solution: str) -> None:
    assert terminal.run("lab", "solution", "tiny/arithmetic", "-o", "-").stdout == solution


def test_lab_names_an_unknown_lab(terminal: Terminal) -> None:
    done = terminal.run("lab", "starter", "tiny/algebra", "-o", "-")
    assert done.returncode == 2
    assert one_sentence(done.stderr)


def test_course_check_says_that_a_course_is_sound(terminal: Terminal) -> None:
    done = terminal.run("course", "check", "tiny", "--times", "1")
    assert (done.returncode, done.stdout) == (0, "tiny: no faults.\n")


def test_course_check_lists_file_line_and_fault(terminal: Terminal, draft: Draft) -> None:
    draft.edit("course.yaml", "title:", "colour: red\ntitle:")
    draft.edit(f"{LAB}/instructions.md", "Open the", "Open [the](missing.md)")
    done = terminal.run("course", "check", "tiny")
    assert done.returncode == 1
    assert [line.split(": ")[0] for line in done.stdout.splitlines()] == [
        "courses/tiny/course.yaml:1",
        f"courses/tiny/{LAB}/instructions.md:10",
    ]


def test_course_publish_makes_a_version_once(terminal: Terminal, draft: Draft, tmp_path: Path) -> None:
    database = {"DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3"}
    assert terminal.run("migrate", "-v", "0", **database).returncode == 0
    said = [terminal.run("course", "publish", "tiny", "--times", "1", **database).stdout for _ in range(2)]
    draft.edit("course.yaml", "A tiny course", "A small course")
    said.append(terminal.run("course", "publish", "tiny", "--times", "1", **database).stdout)
    assert [text.splitlines()[-1] for text in said] == [
        "tiny: published as version 1.",
        "tiny: nothing changed; version 1 has this content.",
        "tiny: published as version 2.",
    ]


def test_a_course_edited_while_it_is_proved_is_not_published(terminal: Terminal, draft: Draft) -> None:
    publish = terminal.start("course", "publish", "tiny", "--times", "1", "--fresh")
    assert publish.stderr is not None
    assert "1 of " in publish.stderr.readline()
    draft.write(f"{LAB}/instructions.md", "Other instructions.")
    _out, told = publish.communicate(timeout=240)
    assert (publish.returncode, told.splitlines()[-1]) == (
        1,
        "tiny was edited while it was being proved: publish it again.",
    )


def test_a_course_with_faults_is_not_published(terminal: Terminal, draft: Draft) -> None:
    draft.edit("course.yaml", "title:", "colour: red\ntitle:")
    done = terminal.run("course", "publish", "tiny")
    assert done.returncode == 1
    assert "colour" in done.stdout


def test_a_notebook_that_lost_its_name_is_known_by_its_texts_as_on_the_page(terminal: Terminal, solution: str) -> None:
    nameless = json.loads(solution)
    del nameless["metadata"]["ridgepoint"]
    nameless["cells"] = [cell for cell in nameless["cells"] if cell["id"] != "setup"]
    done = terminal.run("grade", "tiny/arithmetic", terminal.notebook(json.dumps(nameless)), "--json")
    assert done.returncode == 0, done.stderr
    assert "its texts are those of tiny/arithmetic" in json.loads(done.stdout)["notes"][0]
