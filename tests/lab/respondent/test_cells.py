"""How cells run: as in a notebook, and whatever they do, the next request is answered."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest

from graders.examiner.session import CellRun, Session


class Cells:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.numbers = itertools.count(1)

    def run(self, source: str, *, output_bytes: int = 100_000, seconds: float = 10.0) -> CellRun:
        self.session.until = time.monotonic() + seconds
        return self.session.execute(next(self.numbers), source, output_bytes=output_bytes)

    def text(self, source: str, **options: Any) -> str:
        run = self.run(source, **options)
        return "".join(each.get("text") or each["data"]["text/plain"] for each in run.outputs)


@pytest.fixture
def cells(session: Session) -> Cells:
    return Cells(session)


def test_what_is_printed_and_what_is_the_result_come_in_order(cells: Cells) -> None:
    assert cells.run("print('a')\nprint('b')\n1 + 1").outputs == [
        {"output_type": "stream", "name": "stdout", "text": "a\nb\n"},
        {"output_type": "execute_result", "data": {"text/plain": "2"}, "metadata": {}, "execution_count": 1},
    ]


def test_a_semicolon_silences_the_result(cells: Cells) -> None:
    assert cells.run("1 + 1;").outputs == []


def test_an_overwritten_line_is_shown_once(cells: Cells) -> None:
    assert cells.text("for n in range(100):\n    print(f'\\rstep {n}', end='')") == "step 99"


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("a\rb", "b"),
        ("a\r\nb\r\n", "a\r\nb\r\n"),
        ("a\rb\r\r\nc", "b\r\r\nc"),
        ("b\na\r", "b\n"),
        ("a\n\rb\rc\n", "a\nc\n"),
    ],
)
def test_a_carriage_return_overwrites_unless_the_line_ends_there(cells: Cells, printed: str, shown: str) -> None:
    assert cells.text(f"print({printed!r}, end='')") == shown


def test_a_very_long_line_takes_no_longer_than_many_short_ones(cells: Cells) -> None:
    assert len(cells.text("print('x' * 2_000_000, end='')", output_bytes=3_000_000)) == 2_000_000


def test_cleared_output_is_gone(cells: Cells) -> None:
    assert cells.text("from IPython.display import clear_output\nprint(1)\nclear_output()\nprint(2)") == "2\n"
    assert cells.text("print(1)\nclear_output(wait=True)\nprint(2)") == "2\n"


def test_an_updated_display_shows_its_last_state(cells: Cells) -> None:
    run = cells.run("from IPython.display import display\nh = display(1, display_id=True)\nh.update(2);")
    assert [output["data"]["text/plain"] for output in run.outputs] == ["2"]


def test_the_head_of_too_much_output_is_kept(cells: Cells) -> None:
    text = cells.text("print('first')\nprint('x' * 5_000)\nprint('last')", output_bytes=1_000)
    assert text.startswith("first\nxxx")
    assert text.endswith("… output truncated …\n")


def test_a_picture_that_does_not_fit_is_left_out(cells: Cells) -> None:
    run = cells.run(
        "from IPython.display import SVG, display\ndisplay(SVG('<svg>' + 'x' * 5000 + '</svg>'))", output_bytes=1_000
    )
    assert "truncated" in run.outputs[0]["text"]


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("1 / 0", "ZeroDivisionError", "division by zero"),
        ("1 +", "SyntaxError", "invalid syntax (line 1)"),
        ("print([1", "SyntaxError", "'[' was never closed (line 1)"),
        ("breakpoint()", "RuntimeError", "A debugger can't be used"),
        ("import pdb\npdb.set_trace()", "RuntimeError", "A debugger can't be used"),
        ("%pdb on\n1 / 0", "ZeroDivisionError", "division by zero"),
        ("import sys\nsys.exit(3)", "SystemExit", "3"),
        ("exit()", "SystemExit", "remove the call"),
        ("input('name?')", "RuntimeError", "write the value into the cell"),
        ("import getpass\ngetpass.getpass()", "RuntimeError", "write the value into the cell"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", ""),
        ("await undefined", "NameError", "undefined"),
    ],
)
def test_an_error_is_told_and_shown_once(cells: Cells, source: str, name: str, message: str) -> None:
    run = cells.run(source)
    assert run.failure is not None
    assert run.failure.name == name
    assert message in run.failure.message
    assert [output["output_type"] for output in run.outputs if output["output_type"] == "error"] == ["error"]
    assert cells.text("'still here'") == "'still here'"


def test_an_unknown_magic_is_an_error(cells: Cells) -> None:
    failure = cells.run("%no_such_magic").failure
    assert failure is not None
    assert failure.name == "UsageError"


def test_an_error_names_the_students_own_line(cells: Cells) -> None:
    cells.run("import json\ndef parse(text):\n    return json.loads(text)")
    failure = cells.run("parse('{')").failure
    assert failure is not None
    assert (failure.cell, failure.line, failure.source) == (1, 3, "return json.loads(text)")


def test_a_cell_that_runs_too_long_is_interrupted_where_it_is(cells: Cells) -> None:
    run = cells.run("x = 1\nwhile True:\n    x += 1", seconds=0.5)
    assert run.timed_out
    assert cells.text("x > 1") == "True"


def test_an_interrupt_that_is_swallowed_still_counts_as_too_long(cells: Cells) -> None:
    assert cells.run("import time\ntry:\n    time.sleep(5)\nexcept BaseException:\n    pass", seconds=0.5).timed_out


def test_outputs_that_take_too_long_to_be_gathered_count_as_the_cells_own_time(cells: Cells) -> None:
    slow = "import time\ntake = get_ipython().collector.take\nget_ipython().collector.take = lambda: time.sleep(60)"
    run = cells.run(slow, seconds=1)
    assert run.timed_out
    assert "are left out" in run.outputs[0]["text"]
    cells.run("get_ipython().collector.take = take", seconds=1)
    assert cells.text("print(1)") == "1\n"


def test_awaiting_too_long_is_interrupted_and_the_loop_goes_on(cells: Cells) -> None:
    cells.run("import asyncio\nawait asyncio.sleep(0)")
    assert cells.run("await asyncio.sleep(20)", seconds=0.5).timed_out
    assert cells.text("await asyncio.sleep(0, 'awake')") == "'awake'"


def test_a_task_begun_in_one_cell_can_be_awaited_in_another(cells: Cells) -> None:
    cells.run("import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return n")
    assert cells.run("a = asyncio.create_task(f(1))").failure is None
    assert cells.run("b = asyncio.ensure_future(f(2))").failure is None
    assert cells.run("c = asyncio.run(f(3))").failure is None
    assert cells.text("await a, await b, c") == "(1, 2, 3)"


def test_a_debugger_after_an_error_says_that_it_can_not_be_used(cells: Cells) -> None:
    cells.run("1 / 0")
    failure = cells.run("%debug").failure
    assert failure is not None
    assert "A debugger can't be used" in failure.message


def test_a_shell_command_too_long_is_ended(cells: Cells) -> None:
    assert cells.run("!sleep 20", seconds=0.5).timed_out


def test_shell_lines_give_their_output_and_their_values(cells: Cells) -> None:
    assert cells.text("name = 'Ada'\n!echo hello {name}") == "hello Ada\n"
    assert cells.text("lines = !printf 'a\\nb\\n'\nlines") == "['a', 'b']"


def test_a_background_command_is_not_waited_for(cells: Cells) -> None:
    began = time.monotonic()
    assert cells.text("!sleep 30 & echo started") == "started\n"
    assert time.monotonic() - began < 10


def test_output_below_python_is_gathered(cells: Cells) -> None:
    assert cells.text("import os, sys\nos.write(1, b'low')\nsys.stdout.buffer.write(b'bytes ');") == "bytes low"


def test_closing_the_standard_streams_silences_nothing(cells: Cells) -> None:
    cells.run("import sys\nsys.stdout.close()")
    assert cells.text("print('heard')") == "heard\n"


def test_a_forked_child_stays_out_of_the_conversation(cells: Cells) -> None:
    cells.run("import os\nchild = os.fork()\nif child: os.waitpid(child, 0)")
    assert cells.text("child > 0") == "True"


def test_modules_beside_the_notebook_are_found_and_ours_are_not_shadowed(cells: Cells) -> None:
    cells.run("%%writefile json.py\nraise SystemExit('shadow')")
    cells.run("%%writefile helper.py\nvalue = 5")
    assert cells.text("import helper\nhelper.value") == "5"
    assert cells.text("'still here'") == "'still here'"


def test_magics_that_plot_or_reset_do_no_harm(cells: Cells) -> None:
    assert cells.run("%matplotlib inline").failure is None
    assert cells.run("x = 1\n%reset -f").failure is None
    assert cells.run("x").failure is not None


def test_a_figure_is_shown_once(cells: Cells) -> None:
    run = cells.run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()", seconds=30)
    assert [sorted(output["data"]) for output in run.outputs] == [["image/png", "text/plain"]]
