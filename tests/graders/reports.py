"""Reports as the examiner makes them, for the tests of this folder."""

from __future__ import annotations

from typing import Any

from graders.report import CellFailure, Cells, QuestionResult, Report, TestResult, Timing, Visibility


def result(name: str, visibility: Visibility = "public", *, passed: bool = True, message: str = "") -> TestResult:
    return TestResult(name, visibility, passed, 1.0 if passed else 0.0, 1.0, message)


def question(name: str, *tests: TestResult) -> QuestionResult:
    return QuestionResult(name, sum(t.points for t in tests), sum(t.max_points for t in tests), tests, f"About {name}")


def report(*questions: QuestionResult, failed: tuple[CellFailure, ...] = (), **fields: Any) -> Report:
    return Report(
        **{
            "lab": "performance-modeling/roofline",
            "bundle": "ab12",
            "status": "partial" if failed else "complete",
            "score": sum(q.points for q in questions),
            "max_score": sum(q.max_points for q in questions),
            "questions": questions,
            "cells": Cells(total=9, executed=9, failed=failed),
            "timing": Timing(0.5, 0.1, 12.25, 1.0, 13.85),
            "device": {"name": "CPU"},
            "versions": {"python": "3.11"},
            "limits": {"memory": "3 GiB (cgroup v2)"},
            "notes": ("Question q2 stands above question q1.",),
            **fields,
        }
    )
