"""What a test can and can't do with a student's objects."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from graders.examiner.proxies import Environment, NotDefined, Proxy, StudentError
from graders.examiner.session import Session, StudentTimeout


@pytest.fixture
def env(session: Session) -> Environment:
    return Environment(session)


def define(env: Environment, source: str) -> Environment:
    run = env._session.execute(1, source, output_bytes=10_000)
    assert run.failure is None, run.failure
    return env


def test_a_missing_name_says_so(env: Environment) -> None:
    with pytest.raises(NotDefined, match="You have not defined `x`"):
        env["x"]
    assert ("x" in env, env.get("x", 5)) == (False, 5)


def test_the_shells_own_names_are_no_answers(env: Environment) -> None:
    assert not [name for name in ("In", "Out", "exit", "quit", "get_ipython") if name in env]


def test_each_look_is_a_fresh_copy(env: Environment) -> None:
    define(env, "x = [1]")
    env["x"].append(2)
    assert env["x"] == [1]


EQUAL = """
class Equal:
    def __eq__(self, other): return True
    def __bool__(self): return True
    def __array__(self, *a, **k): return __import__("numpy").zeros(3)
    def __float__(self): return 1.0
    def __len__(self): return "many"
    def __hash__(self): return 1
thing = Equal()
"""


@pytest.mark.parametrize(
    "use",
    [
        lambda thing: thing == 1,
        lambda thing: 1 == thing,  # noqa: SIM300
        lambda thing: thing != 1,
        lambda thing: thing < 1,
        lambda thing: bool(thing),
        lambda thing: float(thing),
        lambda thing: int(thing),
        lambda thing: np.asarray(thing),
        lambda thing: np.allclose(thing, 0),
        lambda thing: np.testing.assert_array_equal(thing, np.zeros(3)),
        lambda thing: len(thing),
        lambda thing: thing in (1, 2),
        lambda thing: 1 in {2: thing}.values(),
        lambda thing: pytest.approx(1.0) == thing,
    ],
)
def test_an_object_is_never_compared_or_converted(env: Environment, use: Any) -> None:
    with pytest.raises((TypeError, ValueError, AssertionError)):
        assert use(define(env, EQUAL)["thing"])


def test_an_object_shows_nothing_of_the_students_in_its_text(env: Environment) -> None:
    define(env, "class Thing:\n    def __repr__(self): return 'forged'\nthing = Thing()")
    assert repr(env["thing"]) == "<the student's Thing>"
    assert not callable(env["thing"])
    assert isinstance(env["thing"], Proxy)


def test_an_objects_class_can_not_be_faked(env: Environment) -> None:
    define(env, "class Thing:\n    __class__ = property(lambda self: int)\nthing = Thing()")
    assert not isinstance(env["thing"], int)


def test_dunder_attributes_are_not_asked_for(env: Environment) -> None:
    define(env, "def f(x): return x")
    assert env["f"].__name__ == "f"
    with pytest.raises(AttributeError):
        _ = env["f"].__code__


BOX = """
class Box:
    size = 3
    def __getitem__(self, at): return at
    def grow(self, by=1): return self.size + by
box = Box()
def make(): return Box()
def are_boxes(box, more): return isinstance(box, Box) and isinstance(more["box"], Box)
"""


def test_attributes_items_and_calls_give_plain_values(env: Environment) -> None:
    box = define(env, BOX)["box"]
    assert (box.size, box[1:2], box["k"], box.grow(by=4)) == (3, slice(1, 2), "k", 7)


def test_objects_can_be_handed_back(env: Environment) -> None:
    box = define(env, BOX)["make"]()
    assert env["are_boxes"](box, {"box": box}) is True


def test_objects_that_nobody_holds_are_let_go_of(env: Environment) -> None:
    define(
        env,
        "import weakref\nclass Model: pass\nalive = weakref.WeakSet()\n"
        "def make():\n    m = Model(); alive.add(m); return m\ndef count(): return len(alive)",
    )
    make, count = env["make"], env["count"]
    kept = make()
    for _ in range(5):
        make()
    gc.collect()
    count()
    assert count() == 1
    del kept


def test_a_students_exception_is_of_its_built_in_class_and_names_the_line(env: Environment) -> None:
    define(env, "def f(x):\n    raise IndexError('too far')")
    with pytest.raises(IndexError, match=r"IndexError: too far \(cell 1, line 2: raise IndexError"):
        env["f"](1)


@pytest.mark.parametrize(
    "name", ["OSError", "KeyError", "UnicodeDecodeError", "SystemExit", "Homemade", "StopIteration"]
)
def test_every_kind_of_students_exception_is_a_student_error(env: Environment, name: str) -> None:
    define(
        env,
        "class Homemade(BaseException): pass\n"
        "made = {'UnicodeDecodeError': lambda: UnicodeDecodeError('utf-8', b'', 0, 1, 'bad')}\n"
        f"def f(): raise made.get('{name}', lambda: {name}('told'))()",
    )
    with pytest.raises(StudentError, match=name):
        env["f"]()


def test_a_students_function_that_is_too_slow_ends_the_test_and_not_the_process(
    env: Environment, session: Session
) -> None:
    import time

    define(env, "def slow():\n    while True: pass\ndef fast(): return 1")
    slow, fast = env["slow"], env["fast"]
    session.until, session.sentence = time.monotonic() + 0.5, "That took too long."
    with pytest.raises(StudentTimeout, match="too long"):
        slow()
    session.until = time.monotonic() + 5
    assert fast() == 1


def test_a_tests_function_runs_here_and_may_ask_back(env: Environment) -> None:
    define(env, "def twice(f): return f(f(1))\ndef inner(x): return x * 10")
    inner = env["inner"]
    seen: list[int] = []

    def watched(x: int) -> int:
        seen.append(x)
        return int(inner(x)) + 1

    assert (env["twice"](watched), seen) == (111, [1, 11])


def test_an_exception_of_a_tests_function_can_be_handled_by_the_student(env: Environment) -> None:
    define(env, "def guard(f):\n    try:\n        f()\n    except ValueError as error:\n        return str(error)")

    def fail() -> None:
        raise ValueError("no")

    env._session.reticent = False
    assert env["guard"](fail) == "no"


def test_an_error_in_a_hidden_tests_function_tells_the_student_only_its_class(env: Environment) -> None:
    """Its message may quote the test, its arguments' names or the test's own name."""
    define(env, "def probe(f):\n    try:\n        f()\n    except TypeError as error:\n        return str(error)")

    def secret(number: int) -> None: ...

    assert "secret" not in env["probe"](secret)
    assert "number" not in env["probe"](secret)


def test_an_iteration_that_the_student_pretends_to_end_does_not_end_a_tests_loop(env: Environment) -> None:
    """StopIteration out of a call would leave `all(map(f, inputs))` with nothing to object to."""
    define(env, "def f(x): raise StopIteration\ndef g(): raise StopAsyncIteration")
    with pytest.raises(StudentError, match="StopIteration"):
        all(map(env["f"], [1, 2]))
    with pytest.raises(StudentError):
        env["g"]()
    define(env, "it = iter([1, 2])")
    assert list(env["it"]) == [1, 2]


def test_a_tests_function_can_not_be_called_later_or_from_a_thread(env: Environment) -> None:
    define(
        env,
        "import threading\nkept = []\n"
        "def keep(f):\n    kept.append(f)\n"
        "def from_thread(f):\n    errors = []\n"
        "    def work():\n        try: f()\n        except RuntimeError as e: errors.append(str(e))\n"
        "    t = threading.Thread(target=work); t.start(); t.join(); return errors",
    )
    (error,) = env["from_thread"](lambda: 1)
    assert "main thread" in error


def test_what_only_the_tests_know_can_not_be_handed_over(env: Environment) -> None:
    define(env, "def f(x): return x")
    with pytest.raises(TypeError, match="no plain data and no function"):
        env["f"](object())


def test_importable_functions_and_modules_are_handed_over_by_name(env: Environment) -> None:
    import math

    define(env, "def apply(f, x): return f(x)\ndef name(m): return m.__name__")
    assert env["apply"](math.sqrt, 9.0) == 3.0
    assert env["name"](math) == "math"


def test_an_answer_that_nobody_waits_for_any_longer_is_no_request(env: Environment) -> None:
    """A time limit may break off the student's code between its call of a test's function and the answer."""
    define(env, "x = 1")
    env._session._channel.send(*env._session._answer(5, "late", None))
    assert env["x"] == 1


def test_a_clock_that_a_notebook_replaces_is_its_own(env: Environment) -> None:
    define(env, "import time\ntime.monotonic = time.perf_counter = time.time = lambda: 0\ndef f(): return 7")
    define(env, "y = 2")
    assert (env["f"](), env["y"]) == (7, 2)
