"""Values that aim at tests of a certain make. Each costs its author's question or cell, never the run.

What aims at any test is an attack of the corpus (test_corpus.py)."""

from __future__ import annotations

import textwrap

import pytest

from graders.bundle import Question
from tests.grading import SETUP, graded, lab, message, points, question, shown, squares
from workers.engine import Outcome

pytestmark = pytest.mark.slow


def harmed(first: Question, *cells: str) -> Outcome:
    """Graded with a second question that is answered rightly."""
    bundle = lab(first, squares("q2", "f2"), cell_s=3, test_s=3, memory_bytes=512 * 1024**2)
    asks = ['grader.check("q1")', "def f2(x):\n    return x * x", 'grader.check("q2")']
    return graded(bundle, SETUP, *map(textwrap.dedent, cells), *asks)


def test_stop_iteration_ends_no_loop_of_a_tests() -> None:
    """A call that raises it would leave `all(map(f, inputs))` true and `zip(map(f, inputs), ...)` empty."""
    loops = question(
        "q1",
        """
        @test_case(points=1, hidden=True)
        def test_all(f):
            assert all(map(lambda x: f(x) == x * x, [1, 2, 3]))
        @test_case(points=1, hidden=True)
        def test_zip(f):
            for got, due in zip(map(f, [1, 2, 3]), [1, 4, 9]):
                assert got == due
        """,
        points=2.0,
    )
    assert points(harmed(loops, "def f(x):\n    raise StopIteration")) == {"q1": 0.0, "q2": 2.0}


def test_an_empty_array_with_millions_of_rows_does_not_come_in() -> None:
    """It has no bytes at all, and `tolist()` makes 17 GB of it."""
    listed = question("q1", "@test_case(points=1)\ndef test(v):\n    assert v.tolist() == [1]")
    outcome = harmed(listed, "import numpy as np\nv = np.empty((2**28, 0))")
    assert points(outcome) == {"q1": 0.0, "q2": 2.0}


def test_a_test_that_needs_too_much_memory_fails_and_the_examiner_lives() -> None:
    """What a test makes of a student's number is bounded too."""
    makes = question("q1", "@test_case(points=1)\ndef test(n):\n    assert len([b''.join([b'x'])] * n) == 1")
    outcome = harmed(makes, "n = 5_000_000_000")
    assert points(outcome) == {"q1": 0.0, "q2": 2.0}
    assert "MemoryError" in message(outcome, "q1")


def test_values_that_are_let_go_by_the_million_are_no_trouble() -> None:
    """Their numbers go back in portions that always fit into a message."""
    objects = question("q1", "@test_case(points=1)\ndef test(g):\n    assert len(list(g())) == 3")
    flood = """
        def g():
            for _ in range(3):
                yield [object() for _ in range(100_000)]
        """
    outcome = harmed(objects, flood)
    assert points(outcome)["q2"] == 2.0


def test_errors_that_would_fill_a_report_are_shortened() -> None:
    """Hundreds of cells, each with an error whose class has a name of 200 wide characters."""
    names = "n = '\\N{GRINNING FACE}' * 200\nE = type(n, (Exception,), {'__str__': lambda self: 3 * n})"
    cells = [SETUP, "def f1(x):\n    return x * x", names, *["raise E()"] * 400]
    outcome = graded(lab(squares("q1", "f1")), *cells)
    assert points(outcome) == {"q1": 2.0}
    assert outcome.report.cells.executed == len(cells)
    assert outcome.report.notes[-1] == "200 more cells failed: only the first 200 are listed."


def test_deeply_nested_outputs_do_not_outgrow_the_executed_notebook() -> None:
    """Pretty-printing them took sixteen times the size that was counted."""
    nested = """
        from IPython.display import display
        value = [1] * 650_000
        for _ in range(36):
            value = [value]
        display({"application/json": value}, raw=True)
        """
    cells = [SETUP, "def f1(x):\n    return x * x", *[textwrap.dedent(nested)] * 8]
    outcome = graded(lab(squares("q1", "f1")), *cells)
    assert points(outcome) == {"q1": 2.0}
    assert len(outcome.executed) < 20_000_000


PASSES = question(
    "q1",
    """
    @test_case(points=1, hidden=True)
    def test_secret_name(run):
        def secret_function(secret_argument):
            for _ in range(secret_argument):
                pass
            assert secret_argument == 1, "secret sentence"
        run(secret_function)
        assert False
    """,
)


def test_a_time_limit_amid_a_tests_function_costs_that_test_alone() -> None:
    """The answer that nobody waits for any longer is no request: the process lives on."""
    outcome = harmed(
        PASSES, "import numpy as np\ndef run(f):\n    while True:\n        try: f(1)\n        except ValueError: pass"
    )
    assert points(outcome) == {"q1": 0.0, "q2": 2.0}
    assert not outcome.report.cells.failed
    assert not outcome.report.notes


def test_outputs_that_are_too_intricate_cost_nothing_but_themselves() -> None:
    """They are no reason to lose the cell, let alone the run."""
    intricate = """
        from IPython.display import display
        deep, wide = {}, [{} for _ in range(600_000)]
        for _ in range(900):
            deep = {"a": deep}
        display({"text/plain": "deep"}, metadata=deep, raw=True)
        display({"application/json": wide}, raw=True)
        display({"application/json": [{} for _ in range(600_000)]}, raw=True)
        """
    bundle = lab(squares("q1", "f1"), output_bytes=8 * 1024**2)
    outcome = graded(bundle, SETUP, textwrap.dedent(intricate), "def f1(x):\n    return x * x", 'grader.check("q1")')
    assert points(outcome) == {"q1": 2.0}
    assert not outcome.report.cells.failed
    assert "The outputs of this cell are left out" in shown(outcome, 2)
