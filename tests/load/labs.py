"""What is graded here: a small lab on torch, and the same for otter-grader."""

from __future__ import annotations

import json
import textwrap
import zipfile
from pathlib import Path
from typing import Any, Final

from graders.bundle import LabBundle, LabLimits, Question

LAB_ID: Final = "little/doubling"
"""That of tests.factories, which publishes it."""

SETUP = """
    import torch
    import numpy as np

    class grader:
        check = staticmethod(lambda name: None)
    """
ANSWERS = {
    "q1": """
        def softmax(x):
            e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
            return e / e.sum(dim=-1, keepdim=True)
        """,
    "q2": """
        def intensity(m, n, k, bytes_each=4):
            return 2 * m * n * k / (bytes_each * (m * k + k * n + m * n))
        """,
    "q3": """
        x = torch.linspace(-1, 1, 64).unsqueeze(1)
        y = 3 * x - 0.5
        weight, bias = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
        for step in range(60):
            loss = ((x * weight + bias - y) ** 2).mean()
            loss.backward()
            with torch.no_grad():
                for each in (weight, bias):
                    each -= 0.5 * each.grad
                    each.grad = None
        slope = weight.item()
        print(f"loss {loss.item():.2e}, slope {slope:.3f}")
        """,
    "q4": """
        def blocked(a, b, size=16):
            c = np.zeros((a.shape[0], b.shape[1]), dtype=a.dtype)
            for k in range(0, a.shape[1], size):
                c += a[:, k:k + size] @ b[k:k + size]
            return c
        """,
}
TESTS = {
    "q1": """
        @test_case(points=1)
        def test_sums_to_one(softmax):
            import torch
            assert abs(softmax(torch.tensor([1.0, 2.0, 3.0])).sum().item() - 1) < 1e-6
        @test_case(points=1, hidden=True)
        def test_fresh(softmax):
            import torch
            x = torch.randn(4, 7)
            assert torch.allclose(softmax(x), torch.softmax(x, dim=-1), atol=1e-6)
        """,
    "q2": """
        @test_case(points=1)
        def test_square(intensity):
            assert abs(intensity(64, 64, 64) - 2 * 64 / 12) < 1e-9
        @test_case(points=1, hidden=True)
        def test_half_precision(intensity):
            assert abs(intensity(128, 64, 32, 2) - 2 * 128 * 64 * 32 / (2 * (4096 + 2048 + 8192))) < 1e-9
        """,
    "q3": """
        @test_case(points=1)
        def test_slope(slope):
            assert 2.5 < slope < 3.5
        @test_case(points=1, hidden=True)
        def test_close(slope):
            assert abs(slope - 3) < 0.1
        """,
    "q4": """
        @test_case(points=1)
        def test_ones(blocked):
            import numpy as np
            assert (blocked(np.ones((8, 32)), np.ones((32, 8))) == 32).all()
        @test_case(points=1, hidden=True)
        def test_fresh(blocked):
            import numpy as np
            a, b = np.random.default_rng().normal(size=(2, 48, 48))
            assert np.allclose(blocked(a, b), a @ b)
        """,
}
HEAD = "OK_FORMAT = False\nfrom otter.test_files import test_case\nname = {name!r}\npoints = 2.0\n"


def small() -> LabBundle:
    questions = [
        Question(name, name.upper(), 2.0, HEAD.format(name=name) + textwrap.dedent(tests))
        for name, tests in TESTS.items()
    ]
    return LabBundle(
        lab=LAB_ID,
        title="A little torch",
        questions=tuple(questions),
        starter="",
        solution=notebook().decode(),
        limits=LabLimits(cell_s=60, run_s=240, test_s=30),
        imports=("torch", "numpy"),
    )


def notebook() -> bytes:
    """Right answers to all of it: 8 points."""
    cells = [_cell("setup", SETUP)]
    for name, source in ANSWERS.items():
        cells.append(_cell(f"{name}-answer", source, ridgepoint={"question": name}))
        cells.append(_cell(f"{name}-check", f'grader.check("{name}")', ridgepoint={"question": name}))
    metadata = {"ridgepoint": {"lab": LAB_ID}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}).encode()


def _cell(name: str, source: str, **metadata: Any) -> dict[str, Any]:
    text = textwrap.dedent(source).strip("\n")
    return {
        "cell_type": "code",
        "id": name,
        "metadata": metadata,
        "source": text,
        "execution_count": None,
        "outputs": [],
    }


def autograder(bundle: LabBundle, file: Path) -> None:
    """The same tests as an autograder of otter-grader."""
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("otter_config.json", "{}")
        for question in bundle.questions:
            archive.writestr(f"tests/{question.name}.py", question.tests)
        for name, content in bundle.files.items():
            archive.writestr(f"files/{name}", content)
