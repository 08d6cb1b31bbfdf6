"""`manage.py demo`: the whole way of one notebook, with marks known beforehand."""

from __future__ import annotations

import json
import re
import signal
import socket
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from graders.report import Cells, QuestionResult, Report
from tests.ops.programs import ROOT, environment, family, lives, soon
from workers.management.commands.demo import surprises_in

TINY = {"RIDGEPOINT_COURSES_DIR": str(ROOT / "tests" / "courses")}


def start(data_dir: Path, log: Path, *arguments: str) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "manage.py", "demo", *arguments],
            cwd=ROOT,
            env=environment("dev", data_dir, TINY),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )


@pytest.mark.slow
def test_once_grades_a_notebook_as_expected_and_leaves_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log"
    # The usual port is taken, perhaps by another demo: any other will do.
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", 8000))
            other.listen()
        except OSError:
            pass  # It is taken already.
        process = start(tmp_path / "data", log, "--once")
        pids: set[int] = set()
        soon(lambda: pids.update(family(process.pid)) or process.poll() is not None, within_s=240)
    said = log.read_text()
    assert process.wait(1) == 0, said
    assert "Graded as expected" in said
    assert soon(lambda: not any(map(lives, pids)))


@pytest.mark.slow
def test_it_serves_until_interrupted_and_prints_sign_ins_that_only_we_can_read(tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = start(tmp_path / "data", log, "--port", "0")
    try:
        assert soon(lambda: "Ctrl-C stops everything" in log.read_text() or process.poll() is not None, within_s=240)
        said = log.read_text()
        url = re.search(r"The pages are at (\S+)", said)
        assert url, said
        with urllib.request.urlopen(url[1], timeout=30) as page:  # noqa: S310 - our own address
            assert page.status == 200
        passwords = tmp_path / "data" / "demo-passwords.json"
        assert stat.S_IMODE(passwords.stat().st_mode) == 0o600
        assert all(f"{name:<6}{password}" in said for name, password in json.loads(passwords.read_text()).items())
    finally:
        pids = family(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert soon(lambda: not any(map(lives, pids)))


def report(**points: float) -> Report:
    questions = tuple(QuestionResult(name, got, 2.0, ()) for name, got in points.items())
    return Report(
        lab="course/lab",
        bundle="0" * 64,
        status="complete",
        score=sum(points.values()),
        max_score=2.0 * len(points),
        questions=questions,
        cells=Cells(total=1, executed=1),
    )


def test_a_planted_mistake_that_loses_only_its_own_marks_is_no_surprise() -> None:
    assert surprises_in(report(q1=2, q2=1), "q2") == []


def test_a_planted_mistake_that_keeps_its_marks_is_a_surprise() -> None:
    assert surprises_in(report(q1=2, q2=2), "q2") == ["q2 has 2 of 2 points, though its answer is wrong."]


def test_a_right_answer_that_loses_marks_is_a_surprise() -> None:
    assert surprises_in(report(q1=1, q2=1), "q2") == ["q1 has 1 of 2 points, though its answer is right."]


def test_a_report_without_the_planted_question_is_a_surprise() -> None:
    assert surprises_in(report(q1=2), "q2") == ["q2 is not in the report."]
