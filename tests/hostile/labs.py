"""The labs that attacks are made on. Every hidden test holds its lab's canary: in its name, its source, the values that
it expects, and what it says when it fails."""

from __future__ import annotations

import hashlib
import textwrap
from dataclasses import dataclass, replace
from typing import Final

from graders.bundle import GIB, MIB, LabBundle, Question
from tests.grading import lab, question


@dataclass(frozen=True)
class Lab:
    """`right` are answers by question; `wrong` is an honest wrong one to `attacked`."""

    bundle: LabBundle
    right: dict[str, str]
    wrong: str
    attacked: str = "q2"
    wrong_earns: float = 0.0

    @property
    def canaries(self) -> tuple[str, ...]:
        """No byte that a student can fetch may hold one of these."""
        return tuple(canary(name) for name in self.right)

    def score(self) -> dict[str, float]:
        """What a notebook gets in which only the attacked question is wrong."""
        points = {each.name: each.points for each in self.bundle.questions}
        return points | {self.attacked: self.wrong_earns}

    def limited(self, **limits: float) -> LabBundle:
        kinds = {name: type(getattr(self.bundle.limits, name)) for name in limits}
        changed = {name: kinds[name](value) for name, value in limits.items()}
        return replace(self.bundle, limits=replace(self.bundle.limits, **changed))


def canary(name: str) -> str:
    """Letters and digits only, so that it may stand in a name, and stays whole in most encodings."""
    return f"canary{name}{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _two(name: str, public: str, hidden: str, *, setup: str = "") -> Question:
    """A public and a hidden test of one point each; `hidden` may say CANARY wherever it likes."""
    return question(
        name,
        textwrap.dedent(setup)
        + _case("test_public", public, "points=1")
        + _case("test_hidden_CANARY", hidden, 'points=1, hidden=True, failure_message="Look again."').replace(
            "CANARY", canary(name)
        ),
        points=2.0,
    )


def _case(name: str, body: str, options: str) -> str:
    signature, _, rest = textwrap.dedent(body).strip().partition("\n")
    return f"\n@test_case({options})\ndef {name}({signature}):\n{textwrap.indent(rest, '    ')}\n"


def _squares(name: str, function: str) -> Question:
    return _two(
        name,
        f"""
        {function}
        assert {function}(3) == 9
        """,
        f"""
        {function}
        # CANARY: what a square is worth
        expected = {{"CANARY": 16}}
        due = [(-4, expected["CANARY"]), (11, 121), (0, 0)]
        got = [{function}(x) for x, _ in due]
        assert got == [y for _, y in due], f"CANARY expected {{due}}"
        """,
    )


def _right(function: str) -> str:
    return f"def {function}(x):\n    return x * x"


CLAIM = """
def seconds(a, b):
    began = time.perf_counter()
    product(a, b)
    return time.perf_counter() - began
"""
ORDINARY: Final = {"cell_s": 20, "run_s": 180, "test_s": 20, "memory_bytes": 512 * MIB}
WITH_TORCH: Final = {"cell_s": 90, "run_s": 300, "test_s": 60, "memory_bytes": 3 * GIB}

STANDARD: Final = Lab(
    bundle=lab(*(_squares(f"q{n}", f"f{n}") for n in (1, 2, 3, 4)), **ORDINARY),
    right={f"q{n}": _right(f"f{n}") for n in (1, 2, 3, 4)},
    wrong="def f2(x):\n    return -1",
)

ARRAYS: Final = Lab(
    bundle=lab(
        _squares("q1", "f1"),
        _two(
            "q2",
            """
            a2
            import numpy as np
            assert np.array_equal(a2(np.arange(3.0)), [0.0, 1.0, 4.0])
            """,
            """
            a2
            import numpy as np
            given = np.linspace(-2, 2, 50).reshape(5, 10)
            due = {"CANARY": given * given}["CANARY"]
            got = a2(given)
            assert np.allclose(got, due), f"CANARY expected {due}"
            np.testing.assert_allclose(got, due, err_msg="CANARY")
            assert got.shape == due.shape and (got == due).all(), "CANARY"
            """,
        ),
        **ORDINARY,
    ),
    right={"q1": _right("f1"), "q2": _right("a2")},
    wrong="import numpy as np\ndef a2(x):\n    return np.zeros_like(x)",
)

TENSORS: Final = Lab(
    bundle=lab(
        _squares("q1", "f1"),
        _two(
            "q2",
            """
            t2
            import torch
            assert torch.equal(t2(torch.arange(3.0)), torch.tensor([0.0, 1.0, 4.0]))
            """,
            """
            t2
            import torch
            given = torch.linspace(-2, 2, 50).reshape(5, 10)
            due = {"CANARY": given * given}["CANARY"]
            got = t2(given)
            torch.testing.assert_close(got, due, msg="CANARY")
            assert torch.allclose(got, due) and bool((got == due).all()), f"CANARY expected {due}"
            """,
        ),
        **WITH_TORCH,
    ),
    right={"q1": _right("f1"), "q2": _right("t2")},
    wrong="import torch\ndef t2(x):\n    return torch.zeros_like(x)",
)

FRAMES: Final = Lab(
    bundle=lab(
        _squares("q1", "f1"),
        _two(
            "q2",
            """
            d2
            import pandas as pd
            assert list(d2(pd.DataFrame({"x": [1, 2]}))["square"]) == [1, 4]
            """,
            """
            d2
            import pandas as pd
            due = pd.DataFrame({"x": [3, -4], "square": [9, 16]})
            got = d2(due[["x"]])
            pd.testing.assert_frame_equal(got, due, obj="CANARY")
            assert got.equals(due), f"CANARY expected {due}"
            """,
        ),
        **ORDINARY,
    ),
    right={"q1": _right("f1"), "q2": "def d2(d):\n    return d.assign(square=d.x * d.x)"},
    wrong="def d2(d):\n    return d.assign(square=0)",
)

FUNCTIONS: Final = Lab(
    bundle=lab(
        _squares("q1", "f1"),
        _two(
            "q2",
            """
            power, each
            assert list(each(len, ["a", "bc"])) == [1, 2]
            assert power(2)(3) == 9
            """,
            """
            power, each
            def secret_step_CANARY(secret_argument):
                if secret_argument > 2:
                    raise ValueError("CANARY")
                return secret_argument + 100
            assert list(each(secret_step_CANARY, [1, 2])) == [101, 102], "CANARY expected [101, 102]"
            assert power(3)(2) == 8, "CANARY"
            """,
        ),
        **ORDINARY,
    ),
    right={
        "q1": _right("f1"),
        "q2": "def power(n):\n    return lambda x: x ** n\ndef each(f, xs):\n    return [f(x) for x in xs]",
    },
    wrong="def power(n):\n    return lambda x: 0\ndef each(f, xs):\n    return []",
)

TIMED: Final = Lab(
    bundle=lab(
        _squares("q1", "f1"),
        _two(
            "q2",
            """
            product, seconds
            import numpy as np
            assert np.allclose(product(np.eye(3), np.eye(3)), np.eye(3))
            """,
            """
            product, seconds
            import time
            import numpy as np
            rng = np.random.default_rng()
            times = []
            for size in (96, 100, 96, 100, 96):
                a, b = rng.normal(size=(size, size)), rng.normal(size=(size, size))
                began = time.perf_counter()
                got = product(a, b)
                times.append(time.perf_counter() - began)
                np.testing.assert_allclose(got, a @ b, rtol=1e-9, atol=1e-9, err_msg="CANARY")
            assert min(times) < 0.2, f"CANARY: the best of {times} is too slow"
            claimed, size = float(seconds(a, b)), len(a)
            assert min(times) / 1000 < claimed < 1000 * max(times), "CANARY: the claim is out of all bounds"
            """,
        ),
        **ORDINARY | {"test_s": 60, "cell_s": 20},
    ),
    right={
        "q1": _right("f1"),
        "q2": "import time\ndef product(a, b):\n    return a @ b\n" + CLAIM,
    },
    # Right in its values, and a hundred times slower than need be: half a second and more for each product.
    wrong="import time\nimport numpy as np\ndef product(a, b):\n    a, b = a.tolist(), b.T.tolist()\n"
    "    for _ in range(8):\n        made = [[sum(map(lambda p, q: p * q, u, v)) for v in b] for u in a]\n"
    "    return np.array(made)\n" + CLAIM,
    wrong_earns=1.0,
)

LABS: Final = {
    "standard": STANDARD,
    "arrays": ARRAYS,
    "tensors": TENSORS,
    "frames": FRAMES,
    "functions": FUNCTIONS,
    "timed": TIMED,
}
