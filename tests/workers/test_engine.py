"""What a notebook's owner gets: points for what is right, and sentences that say what is wrong."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from django.conf import settings

from tests import grading
from tests.grading import SETUP, failure, graded, lab, message, outputs, points, question, result, shown, squares
from workers.engine import InfrastructureFault, Progress, render

pytestmark = pytest.mark.slow

RIGHT = "def square(x):\n    return x * x"
ONE = lab(squares("q1", "square"))


def test_a_right_answer_gets_full_marks() -> None:
    report = graded(ONE, SETUP, RIGHT, 'grader.check("q1")').report
    assert (report.status, report.score, report.max_score) == ("complete", 2.0, 2.0)


def test_points_are_given_case_by_case() -> None:
    outcome = graded(ONE, SETUP, "def square(x):\n    return x * abs(x)", 'grader.check("q1")')
    assert [test.points for test in result(outcome, "q1").tests] == [1.0, 0.0]


def test_a_questions_points_are_split_among_cases_that_state_none() -> None:
    split = question(
        "q1",
        """
        @test_case()
        def test_a(a): assert a == 1
        @test_case()
        def test_b(b): assert b == 1
        @test_case(points=2)
        def test_c(c): assert c == 1
        """,
        points=3,
    )
    assert points(graded(lab(split), "a = 1; b = 2; c = 1")) == {"q1": 2.5}


def test_all_or_nothing_gives_nothing_for_half() -> None:
    both = question(
        "q1",
        """
        all_or_nothing = True
        @test_case()
        def test_a(a): assert a == 1
        @test_case()
        def test_b(b): assert b == 1
        """,
        points=2,
    )
    outcome = graded(lab(both), "a = 1; b = 2")
    assert (points(outcome), [test.points for test in result(outcome, "q1").tests]) == ({"q1": 0.0}, [0.0, 0.0])


def test_a_question_is_graded_right_after_its_check() -> None:
    x_is_3 = question("q1", "@test_case(points=1)\ndef test(x): assert x == 3")
    assert points(graded(lab(x_is_3), SETUP, "x = 3", 'grader.check("q1")', "x = 4")) == {"q1": 1.0}


def test_an_error_in_a_cell_does_not_stop_later_cells() -> None:
    outcome = graded(ONE, SETUP, "raise ValueError('mine')", RIGHT, 'grader.check("q1")')
    assert (points(outcome), outcome.report.status) == ({"q1": 2.0}, "complete")
    assert failure(outcome).message == "Cell 2 (question q1) raised ValueError: mine"
    assert failure(outcome).kind == "error"


def test_a_missing_name_is_told_with_what_went_wrong_in_its_cell() -> None:
    outcome = graded(ONE, SETUP, "import nothing_of_this_name\n" + RIGHT, 'grader.check("q1")')
    assert message(outcome, "q1").startswith("You have not defined `square`.")
    assert "Cell 2 (question q1) raised ModuleNotFoundError" in message(outcome, "q1")


def test_a_missing_name_fails_even_a_test_that_would_pass_on_nothing() -> None:
    lenient = question("q1", "@test_case(points=1)\ndef test(thing): pass")
    assert points(graded(lab(lenient), "1")) == {"q1": 0.0}


def test_a_hidden_test_says_only_what_its_author_wrote() -> None:
    hidden = question(
        "q1",
        """
        @test_case(points=1, hidden=True, failure_message="Look at the units.")
        def test_a(x): assert x == 31337, "canary 31337"
        @test_case(points=1, hidden=True)
        def test_b(x): assert x == 31337, "canary 31337"
        """,
        points=2,
    )
    outcome = graded(lab(hidden), "x = 1")
    assert message(outcome, "q1", 0) == "Look at the units."
    assert "31337" not in outcome.report.to_json().decode() + outcome.executed.decode()


def test_a_public_failure_shows_the_line_of_the_test() -> None:
    outcome = graded(ONE, "def square(x):\n    return 10")
    assert message(outcome, "q1") == "AssertionError: assert square(3) == 9"


def test_an_error_in_a_students_function_is_told_with_its_line() -> None:
    outcome = graded(ONE, "1", "def square(x):\n    return x / 0")
    assert "ZeroDivisionError: division by zero (cell 2, line 2: return x / 0)" in message(outcome, "q1")


def test_a_test_can_expect_a_students_exception() -> None:
    refuses = question(
        "q1",
        """
        @test_case(points=1)
        def test(f):
            try:
                f(-1)
            except ValueError as error:
                assert "negative" in str(error)
            else:
                raise AssertionError("f(-1) should raise ValueError")
        """,
    )
    assert points(graded(lab(refuses), "def f(x):\n    raise ValueError('negative')")) == {"q1": 1.0}
    assert points(graded(lab(refuses), "def f(x):\n    raise TypeError('negative')")) == {"q1": 0.0}


def test_arrays_tensors_and_tables_arrive_as_what_they_are() -> None:
    tables = question(
        "q1",
        """
        import numpy as np, pandas as pd, torch
        @test_case(points=1)
        def test(array, tensor, frame, scale, model):
            assert type(array) is np.ndarray and array.dtype == np.float32 and array.sum() == 6
            assert type(tensor) is torch.Tensor and torch.equal(tensor, torch.eye(2, dtype=torch.bfloat16))
            assert type(frame) is pd.DataFrame and frame["a"].tolist() == [1, 2]
            assert torch.equal(scale(torch.ones(2), by=3), torch.full((2,), 3.0))
            assert model(torch.zeros(1, 4)).shape == (1, 2)
            assert model.weight.requires_grad and model.in_features == 4
        """,
    )
    outcome = graded(
        lab(tables, cell_s=60, test_s=60),
        """
        import numpy as np, pandas as pd, torch
        array = np.arange(4, dtype=np.float32)
        tensor = torch.nn.Parameter(torch.eye(2, dtype=torch.bfloat16), requires_grad=False)
        frame = pd.DataFrame({"a": [1, 2]})
        model = torch.nn.Linear(4, 2)
        def scale(x, by):
            return x * by
        """,
    )
    assert (points(outcome), message(outcome, "q1")) == ({"q1": 1.0}, "")


def test_a_test_can_hand_over_functions_and_the_labs_own_objects() -> None:
    handing = question(
        "q1",
        """
        from pocket import Device, double
        @test_case(points=1)
        def test(count_calls, ridge, apply):
            seen = []
            def watched(x):
                seen.append(x)
                return x + 1
            assert count_calls(watched) == 3 and seen == [0, 1, 2]
            assert ridge(Device(peak=100.0, bandwidth=20.0)) == 5.0
            assert apply(double, 4) == 8
        """,
    )
    library = {
        "pocket/__init__.py": "from dataclasses import dataclass\n\n\n@dataclass(frozen=True)\nclass Device:\n"
        "    peak: float\n    bandwidth: float\n\n\ndef double(x):\n    return 2 * x\n"
    }
    outcome = graded(
        lab(handing, library=library),
        """
        from pocket import Device
        def count_calls(f):
            return f(f(f(0)))
        def ridge(device):
            assert isinstance(device, Device)
            return device.peak / device.bandwidth
        def apply(f, x):
            return f(x)
        """,
    )
    assert (points(outcome), message(outcome, "q1")) == ({"q1": 1.0}, "")


def test_generators_context_managers_and_methods_work_from_a_test() -> None:
    using = question(
        "q1",
        """
        from itertools import islice
        @test_case(points=1)
        def test(count, Stack):
            assert list(islice(count(), 3)) == [0, 1, 2]
            with Stack() as stack:
                stack.push([1, 2])
                assert len(stack) == 1 and stack[0] == [1, 2] and stack.kind == "stack"
            assert list(stack) == []
        """,
    )
    outcome = graded(
        lab(using),
        """
        def count():
            n = 0
            while True:
                yield n
                n += 1
        class Stack:
            kind = "stack"
            def __init__(self): self.items = []
            def __enter__(self): return self
            def __exit__(self, *error): self.items.clear()
            def __len__(self): return len(self.items)
            def __getitem__(self, at): return self.items[at]
            def push(self, item): self.items.append(item)
        """,
    )
    assert (points(outcome), message(outcome, "q1")) == ({"q1": 1.0}, "")


def test_the_labs_files_lie_beside_the_notebook_and_the_tests() -> None:
    reads = question(
        "q1",
        """
        @test_case(points=1)
        def test(rows):
            assert rows == open("data/rows.csv").read().splitlines()
        """,
    )
    bundle = replace(lab(reads), files={"data/rows.csv": b"a,1\nb,2\n"})
    assert points(graded(bundle, "rows = open('data/rows.csv').read().splitlines()")) == {"q1": 1.0}


def test_the_seed_is_known_to_the_tests_and_not_to_the_student() -> None:
    seeded = question(
        "q1",
        """
        import os
        @test_case(points=1)
        def test(environment):
            assert os.environ["RIDGEPOINT_SEED"] == "20261130"
            assert "20261130" not in environment
        """,
    )
    outcome = graded(lab(seeded), "import os\nenvironment = str(os.environ)")
    assert (points(outcome), message(outcome, "q1")) == ({"q1": 1.0}, "")


def test_an_endless_loop_costs_only_its_own_question() -> None:
    bundle = lab(*(squares(f"q{n}", f"f{n}") for n in (1, 2, 3, 4)), cell_s=2)
    cells = [SETUP]
    for n in (1, 2, 3, 4):
        cells += [f"def f{n}(x):\n    return x * x" if n != 2 else "while True:\n    pass", f'grader.check("q{n}")']
    outcome = graded(bundle, *cells)
    assert points(outcome) == {"q1": 2.0, "q2": 0.0, "q3": 2.0, "q4": 2.0}
    assert outcome.report.status == "partial"
    assert failure(outcome).message == "Cell 4 (question q2) ran longer than 2 s and was stopped."
    assert "Cell 4 (question q2) ran longer than 2 s" in message(outcome, "q2")
    assert (outcome.report.cells.total, outcome.report.cells.executed) == (9, 9)


def test_a_loop_that_can_not_be_interrupted_is_killed_and_the_rest_is_graded() -> None:
    stubborn = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\nwhile True:\n    pass"
    bundle = lab(squares("q1", "f1"), squares("q2", "f2"), cell_s=1)
    f1, f2 = (f"def f{n}(x):\n    return x * x" for n in (1, 2))
    outcome = graded(bundle, SETUP, f1, 'grader.check("q1")', stubborn, f2, 'grader.check("q2")')
    assert points(outcome) == {"q1": 2.0, "q2": 2.0}
    assert (failure(outcome).number, failure(outcome).kind) == (4, "timeout")
    assert outcome.report.notes[-1].endswith("run again without cell 4.")
    assert "ran longer than 1 s" in shown(outcome, 4)


def test_what_earlier_cells_made_is_there_again_after_a_death() -> None:
    outcome = graded(ONE, SETUP, "factor = 1", "import os; os._exit(3)", RIGHT + " * factor", 'grader.check("q1")')
    assert points(outcome) == {"q1": 2.0}
    assert failure(outcome).kind == "died"
    assert "Cell 3 (question q1) ended the notebook's Python process (exit code 3)" in failure(outcome).message


def test_a_death_at_the_very_end_costs_nothing() -> None:
    outcome = graded(ONE, SETUP, RIGHT, 'grader.check("q1")', "import os; os.kill(os.getpid(), 11)")
    assert points(outcome) == {"q1": 2.0}
    assert "SIGSEGV" in failure(outcome).message


def test_a_cell_that_takes_too_much_memory_is_named_with_the_limit() -> None:
    bundle = lab(squares("q1", "square"), memory_bytes=512 * 1024**2)
    outcome = graded(bundle, SETUP, "hog = [b'x' * 50_000_000 for _ in range(100)]", RIGHT, 'grader.check("q1")')
    assert points(outcome) == {"q1": 2.0}
    assert failure(outcome).kind == "memory"
    assert "Cell 2 (question q1)" in failure(outcome).message
    assert "the memory limit of 512 MiB" in failure(outcome).message


def test_a_function_that_never_returns_fails_its_check_and_names_it() -> None:
    bundle = lab(squares("q1", "square"), squares("q2", "other"), test_s=1)
    slow = "def square(x):\n    while x == 3:\n        pass\n    return x * x"
    outcome = graded(bundle, SETUP, slow, 'grader.check("q1")', "def other(x):\n    return x * x")
    assert [test.passed for test in result(outcome, "q1").tests] == [False, True]
    assert message(outcome, "q1") == "The check of question q1 after cell 3 ran longer than 1 s and was stopped."
    assert points(outcome)["q2"] == 2.0


def test_a_function_that_ends_the_process_costs_its_question_only() -> None:
    bundle = lab(squares("q1", "square"), squares("q2", "other"))
    deadly = "import os\ndef square(x):\n    os._exit(0)"
    outcome = graded(bundle, SETUP, deadly, 'grader.check("q1")', "def other(x):\n    return x * x")
    assert points(outcome) == {"q1": 0.0, "q2": 2.0}
    assert "The check of question q1 after cell 3 ended the notebook's Python process" in message(outcome, "q1")
    assert outcome.report.status == "complete"


def test_a_test_that_expects_any_exception_does_not_pass_on_a_dead_process() -> None:
    expects = question(
        "q1",
        """
        @test_case(points=1)
        def test(f):
            try:
                f()
            except Exception:
                return
            raise AssertionError("f() should raise")
        """,
    )
    assert points(graded(lab(expects), "import os\ndef f():\n    os._exit(0)")) == {"q1": 0.0}


def test_after_the_whole_runs_time_the_rest_is_not_run() -> None:
    bundle = lab(squares("q1", "f1"), squares("q2", "f2"), run_s=3)
    outcome = graded(bundle, SETUP, "def f1(x):\n    return x * x", 'grader.check("q1")', "while True: pass", "f2 = f1")
    assert points(outcome) == {"q1": 2.0, "q2": 0.0}
    assert [(each.number, each.kind) for each in outcome.report.cells.failed] == [(4, "timeout"), (5, "not_run")]
    used_up = "the whole notebook may run 3 s, and that time is used up."
    assert outcome.report.cells.failed[-1].message == f"Cell 5 was not run: {used_up}"
    assert message(outcome, "q2") == f"Question q2 was not graded: {used_up}"
    assert outcome.report.status == "partial"


def test_after_three_restarts_the_rest_is_not_run() -> None:
    outcome = graded(ONE, SETUP, *["import os; os._exit(1)"] * 5, RIGHT, 'grader.check("q1")')
    kinds = [each.kind for each in outcome.report.cells.failed]
    assert kinds == ["died"] * 4 + ["not_run"] * 3
    assert "lost 4 times" in message(outcome, "q1")


def test_the_executed_notebook_is_valid_and_shows_what_the_cells_gave() -> None:
    outcome = graded(
        ONE,
        "print('hello')\n6 * 7",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]);",
        "1 / 0",
        "import warnings\nwarnings.warn('careful')",
        "%%time\nsum(range(10))",
        "!echo from the shell",
        "import asyncio\nawait asyncio.sleep(0)\n'awaited'",
        "input('name?')",
        "from IPython.display import HTML, display\ndisplay(HTML('<b>bold</b>'))",
    )
    nb = nbformat.reads(outcome.executed.decode(), as_version=4)
    nbformat.validate(nb)
    assert (nb.nbformat, nb.nbformat_minor) == (4, 5)
    assert [output["output_type"] for output in outputs(outcome, 1)] == ["stream", "execute_result"]
    assert outputs(outcome, 1)[1]["data"]["text/plain"] == "42"
    assert "image/png" in shown(outcome, 2)
    assert "ZeroDivisionError" in shown(outcome, 3)
    assert outputs(outcome, 4)[0]["name"] == "stderr"
    assert "Wall time" in shown(outcome, 5)
    assert "from the shell" in shown(outcome, 6)
    assert "awaited" in shown(outcome, 7)
    assert "input() can't be answered" in shown(outcome, 8)
    assert "<b>bold</b>" in shown(outcome, 9)


def test_output_beyond_the_limit_is_cut_off_visibly() -> None:
    outcome = graded(lab(squares("q1", "square"), output_bytes=10_000), "print('x' * 300_000)\nprint('y')", RIGHT)
    assert points(outcome) == {"q1": 2.0}
    assert "… output truncated …" in shown(outcome, 1)
    assert 9_000 < len(shown(outcome, 1)) < 12_000


def test_what_child_processes_print_is_shown() -> None:
    outcome = graded(ONE, "import os, subprocess\nos.system('echo one')\nsubprocess.run(['echo', 'two'])")
    assert "one\\ntwo\\n" in shown(outcome, 1)


def test_progress_names_cells_and_questions_in_order() -> None:
    seen: list[Progress] = []
    graded(ONE, SETUP, RIGHT, 'grader.check("q1")', on_progress=seen.append)
    assert [each.phase for each in seen] == ["starting", "cells", "cells", "cells", "tests"]
    assert [(each.cell, each.of) for each in seen[1:]] == [(1, 3), (2, 3), (3, 3), (3, 3)]
    assert seen[-1].question == "q1"


def test_the_report_says_where_and_with_what_it_was_graded() -> None:
    report = graded(ONE, RIGHT).report
    assert report.device["cpu"]
    assert report.device["cores"] == str(len(os.sched_getaffinity(0)))
    assert {"python", "numpy", "torch", "otter-grader"} <= report.versions.keys()
    assert "3 GiB" in report.limits["memory"]
    assert 0 < report.timing.cells_s <= report.timing.total_s


def test_a_lost_lease_ends_the_run_and_its_jails() -> None:
    before = _children()  # fork servers of other tests may live here
    stopping_from = time.monotonic() + 1
    with pytest.raises(InfrastructureFault, match="stopped from outside"):
        graded(ONE, "while True: pass", should_stop=lambda: time.monotonic() > stopping_from)
    assert _children() == before


def _children() -> str:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text()


@pytest.mark.parametrize(
    ("tests", "sentence"),
    [
        ("def (", "can't be read"),
        ("@test_case(points=2)\ndef test(x): pass", "worth 1.0 points, its tests 2"),
        ("import nothing_of_this_name", "nothing_of_this_name"),
    ],
)
def test_a_broken_lab_is_our_fault_and_not_the_students(tests: str, sentence: str) -> None:
    broken = question("q1", tests)
    source = broken.tests.replace("points = 1.0\n", "")
    with pytest.raises(InfrastructureFault, match=sentence):
        graded(lab(type(broken)("q1", "Q1", 1.0, source)), "x = 1")


def test_an_executed_notebook_is_rendered_in_a_jail() -> None:
    outcome = graded(ONE, "print('<rendered & shown>')")
    html = render(outcome.executed, sandbox=grading.sandbox(), lab_python=settings.LAB_PYTHON)
    assert "&lt;rendered &amp; shown&gt;" in html


def test_what_can_not_be_rendered_is_our_fault() -> None:
    with pytest.raises(InfrastructureFault, match="can't be rendered"):
        render(json.dumps({"nbformat": 3}).encode(), sandbox=grading.sandbox(), lab_python=settings.LAB_PYTHON)
