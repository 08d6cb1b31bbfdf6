"""Notebooks that mean harm. Each test says what must happen: graded for what was truly answered, and nothing more.

The lab has four questions; a hostile notebook answers q1, q3 and q4 rightly and tries to gain something by q2.
"""

from __future__ import annotations

import os
import textwrap
import time
from pathlib import Path

import pytest

from graders.report import Report
from tests.grading import SETUP, graded, lab, message, outputs, points, question, result, shown, squares
from workers.engine import Outcome

pytestmark = pytest.mark.slow

CANARY = "canary-9b1c"
FOUR = lab(*(squares(f"q{n}", f"f{n}") for n in (1, 2, 3, 4)), cell_s=3, test_s=3, memory_bytes=512 * 1024**2)
TRUE = {"q1": 2.0, "q2": 0.0, "q3": 2.0, "q4": 2.0}
WRONG = "def f2(x):\n    return -1"


def with_harm(*harm: str, answer: str = WRONG) -> Outcome:
    """The four answers, with the harmful cells before the second one."""
    cells = [SETUP]
    for n in (1, 2, 3, 4):
        cells += [*harm, answer] if n == 2 else [f"def f{n}(x):\n    return x * x"]
        cells.append(f'grader.check("q{n}")')
    return graded(FOUR, *cells)


def test_an_object_that_equals_everything_gets_nothing() -> None:
    """`==` is evaluated in the examiner, on plain values: an int's subclass arrives as the int it is, any other
    object as something that can't be compared."""
    forged = """
        class Yes(int):
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            def __bool__(self): return True
            def __array__(self, *a, **k): raise SystemExit
            __hash__ = int.__hash__
        class Any:
            __eq__ = lambda self, other: True
            __ne__ = lambda self, other: False
            __len__ = lambda self: 9
        def f2(x):
            return Yes(7) if x > 0 else Any()
        """
    outcome = with_harm(answer=textwrap.dedent(forged))
    assert points(outcome) == TRUE
    assert [test.passed for test in result(outcome, "q2").tests] == [False, False]


def test_patching_otter_grader_changes_nothing() -> None:
    """otter-grader's classes that decide live in another process; patching the student's copy is for nothing."""
    patch = """
        import otter.test_files.exception_test as et, otter.test_files.abstract_test as at
        et.ExceptionTestFile.run = lambda self, env: None
        at.TestFile.score = property(lambda self: 99)
        at.TestFile.passed_all = property(lambda self: True)
        """
    assert points(with_harm(patch)) == TRUE


def test_patching_our_own_side_changes_nothing() -> None:
    """What the respondent says is data, whatever its code has become."""
    patch = """
        import sys
        import graders.respondent.service as service
        service.MOST_MESSAGE_CHARS = 10**9
        service._next = lambda items: (True, 9)
        for name in [name for name in sys.modules if name.startswith("graders")]:
            sys.modules.pop(name)
        """
    assert points(with_harm(patch)) == TRUE


def test_breaking_our_own_side_gains_nothing() -> None:
    """A respondent that can't read any longer is a lost process. What was graded before stays graded."""
    outcome = with_harm("import json\njson.loads = lambda *a, **k: {'passed': True}")
    assert points(outcome)["q1"] == 2.0
    assert points(outcome)["q2"] == 0.0


def test_hidden_tests_are_nowhere_to_be_found() -> None:
    """Neither on disk, nor in the environment, nor in memory of the student's own process, nor in other processes."""
    secret = question(
        "q1",
        f"""
        @test_case(points=1, hidden=True)
        def test(found):
            assert found == [], {CANARY!r}
        """,
    )
    search = f"""
        import os, pathlib
        needle = "".join({list(CANARY)!r}).encode()
        found = []
        for root in ("/home", "/opt/ridgepoint", "/tmp", "/proc"):
            for folder, _, names in os.walk(root):
                for path in (pathlib.Path(folder, name) for name in names if "/task" not in folder):
                    try:
                        if path.is_file() and path.name not in ("kmsg", "pagemap", "kcore"):
                            with open(path, "rb") as file:
                                found += [str(path)] * (needle in file.read(5_000_000))
                    except OSError:
                        pass
        found += [name for name, value in os.environ.items() if needle.decode() in value or "SEED" in name]
        others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
        print(len(others), sorted(os.listdir("/opt/ridgepoint/graders")))
        """
    outcome = graded(lab(secret), textwrap.dedent(search), "found")
    assert points(outcome) == {"q1": 1.0}
    assert "['__init__.py', 'respondent', 'wire']" in shown(outcome, 1)
    assert CANARY not in outcome.report.to_json().decode()


def test_leaving_the_process_costs_one_question_and_names_the_cell() -> None:
    """os._exit: a new process runs the other cells again."""
    outcome = with_harm("import os\nos._exit(0)")
    assert points(outcome) == TRUE
    assert "Cell 4 (question q2) ended the notebook's Python process (exit code 0)" in message(outcome, "q2")
    assert outcome.report.status == "partial"


def test_a_memory_hog_costs_one_question_and_names_the_cell_and_the_limit() -> None:
    """The kernel, or the allocator, stops it at the lab's limit; the worker lives on."""
    outcome = with_harm("hog = []\nwhile True:\n    hog.append(b'x' * 10_000_000)", answer="f2 = None")
    assert points(outcome) == TRUE
    assert "Cell 4 (question q2)" in message(outcome, "q2")
    assert "the memory limit of 512 MiB" in message(outcome, "q2")


def test_memory_that_no_allocator_counts_is_limited_too() -> None:
    """memfd and tmpfs count against the jail, not against the machine."""
    hog = """
        import os
        fd = os.memfd_create("hog")
        while True:
            os.write(fd, b"x" * 10_000_000)
        """
    assert points(with_harm(hog)) == TRUE


def test_an_endless_loop_costs_one_question_and_names_the_cell() -> None:
    """It is interrupted in place, so that not even the cells before have to run again."""
    outcome = with_harm("while True:\n    pass")
    assert points(outcome) == TRUE
    assert "Cell 4 (question q2) ran longer than 3 s and was stopped." in message(outcome, "q2")
    assert not outcome.report.notes


def test_a_loop_that_swallows_every_interrupt_is_killed() -> None:
    """After a few seconds of grace the whole jail goes."""
    outcome = with_harm("while True:\n    try:\n        while True: pass\n    except BaseException: pass")
    assert points(outcome) == TRUE
    assert "Cell 4 (question q2) ran longer than 3 s and was stopped." in message(outcome, "q2")


FIND_CHANNEL = """
    import os, socket, stat
    channel = next(fd for fd in range(3, 1000) if os.path.exists(f"/proc/self/fd/{fd}") and
                   stat.S_ISSOCK(os.fstat(fd).st_mode))
    """


def test_a_reply_forged_on_the_channel_earns_nothing() -> None:
    """It answers no question that was asked: the conversation ends, and with it the cell that broke it."""
    forge = (
        FIND_CHANNEL
        + """
    text = b'["d","id",1,"value",["d","passed",true,"points",99]]'
    os.write(channel, b"RPW1" + len(text).to_bytes(4, "big") + (0).to_bytes(8, "big") + text)
    """
    )
    outcome = with_harm(forge)
    assert points(outcome) == TRUE
    assert "Cell 4 (question q2) disturbed the connection to the grader" in message(outcome, "q2")


def test_a_frame_that_promises_terabytes_is_refused_before_memory_is_taken() -> None:
    """The header is checked against limits; the examiner lives on."""
    forge = FIND_CHANNEL + "\n    os.write(channel, b'RPW1' + b'\\xff' * 12)\n    os.write(channel, b'x' * 100_000)"
    assert points(with_harm(forge)) == TRUE


def test_a_closed_channel_costs_the_cell_that_closed_it() -> None:
    outcome = with_harm("import os\nos.closerange(3, 1000)")
    assert points(outcome) == TRUE
    assert outcome.report.cells.failed[0].number == 4


def test_a_function_that_answers_with_a_monster_costs_its_question() -> None:
    """Too large, too deep, without end: the respondent says so, or the examiner does."""
    monsters = """
        import numpy as np
        def f2(x):
            if x > 0:
                return np.broadcast_to(1.0, (2**45,))
            loop = []
            loop.append(loop)
            return loop
        """
    outcome = with_harm(answer=textwrap.dedent(monsters))
    assert points(outcome) == TRUE
    assert "TooLarge" in message(outcome, "q2")


def test_a_flood_of_values_costs_its_question_and_not_the_grader() -> None:
    """A test that keeps all it is given doesn't eat the examiner's memory: one test takes only so much."""
    keeps = question(
        "q1",
        """
        @test_case(points=1)
        def test(numbers):
            kept = [n for n in numbers()]
        """,
    )
    flood = """
        import numpy as np
        def numbers():
            while True:
                yield np.ones(25_000_000)
        """
    bundle = lab(keeps, squares("q2", "f2"), test_s=30, cell_s=20)
    outcome = graded(bundle, SETUP, flood, 'grader.check("q1")', "def f2(x):\n    return x * x")
    assert points(outcome) == {"q1": 0.0, "q2": 2.0}
    assert "too large together" in message(outcome, "q1")


def test_a_forked_child_can_not_answer_in_its_parents_place() -> None:
    """Both come back from the cell; only one of them goes on."""
    assert points(with_harm("import os\nos.fork()\nos.fork()")) == TRUE


def test_a_daemon_that_outlives_its_cell_ends_with_the_run() -> None:
    """It may hold what pipes it likes: nobody waits for them, and nothing of it is left afterwards."""
    daemon = """
        import os, subprocess, sys
        subprocess.Popen([sys.executable, "-c", "import time\\nwhile True: time.sleep(0.1)"], start_new_session=True,
                         pass_fds=[fd for fd in range(3, 500) if os.path.exists(f"/proc/self/fd/{fd}")])
        """
    before = _processes()
    began = time.monotonic()
    assert points(with_harm(daemon)) == TRUE
    assert time.monotonic() - began < 60
    assert _processes() <= before


def _processes() -> set[str]:
    """Command lines that a jail's Python would have."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if "while True: time.sleep(0.1)" in text and str(os.getpid()) != path.parent.name:
            found.add(f"{path.parent.name} {text}")
    return found


def test_threads_left_running_do_not_disturb_what_is_graded_later() -> None:
    """They may print and compute; the channel is not theirs."""
    noise = """
        import threading, time
        def shout():
            while True:
                print("noise")
                time.sleep(0.001)
        for _ in range(4):
            threading.Thread(target=shout).start()
        """
    assert points(with_harm(noise)) == TRUE


def test_shadowed_builtins_disturb_nobody() -> None:
    """A student may call anything `open`, `print` or `id`."""
    shadows = "open = print = id = list = type = len = str = dict = isinstance = getattr = None"
    assert points(with_harm(shadows)) == TRUE


def test_replaced_builtins_disturb_only_their_owner() -> None:
    outcome = with_harm("import builtins\nbuiltins.len = lambda x: 9\nbuiltins.isinstance = lambda *a: True")
    assert points(outcome)["q1"] == 2.0
    assert points(outcome)["q2"] == 0.0


def test_a_changed_working_directory_and_a_wiped_namespace_do_no_harm() -> None:
    """What was graded stays graded, and later cells run where the student left off."""
    assert (
        points(with_harm("import os, shutil\nos.chdir('/')\nshutil.rmtree('/home/student', ignore_errors=True)"))
        == TRUE
    )


def test_an_exception_that_can_not_be_printed_is_an_exception() -> None:
    terrible = """
        class Terrible(Exception):
            def __str__(self): raise SystemExit("no")
            __repr__ = __str__
        raise Terrible()
        """
    outcome = with_harm(terrible)
    assert points(outcome) == TRUE
    assert outcome.report.cells.failed[0].kind == "error"


def test_a_message_without_end_is_cut() -> None:
    outcome = with_harm(answer="def f2(x):\n    raise ValueError('long ' * 100_000 + '\\x1b[31m\\ud800\\0')")
    assert points(outcome) == TRUE
    assert len(message(outcome, "q2")) <= 2_000
    Report.from_json(outcome.report.to_json())


def test_an_output_of_a_forged_kind_ends_as_text_or_not_at_all() -> None:
    """Whatever the respondent is made to say about outputs, the executed notebook stays in nbformat's shape."""
    forge = """
        shell = get_ipython()
        shell.collector.take = lambda: [{"output_type": "evil", "data": 3}]
        """
    outcome = with_harm(forge)
    assert all(each["output_type"] in ("stream", "error") for each in outputs(outcome, 4))
    assert points(outcome)["q1"] == 2.0


def test_the_network_is_out_of_reach() -> None:
    reach = """
        import socket
        try:
            socket.create_connection(("127.0.0.1", 22), timeout=1)
            print("reached")
        except OSError as error:
            print("refused", type(error).__name__)
        """
    outcome = with_harm(reach)
    assert "refused" in shown(outcome, 4)
