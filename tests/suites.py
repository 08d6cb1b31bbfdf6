"""Everything that `make test` runs, one suite after the other, and one line about each at the end."""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests import postgres

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
RESULTS = ROOT / "build" / "test"
TEMPLATES = ROOT / "server" / "web" / "templates"


@dataclass
class Result:
    """Counts are of tests; a suite without tests counts none."""

    name: str
    failed_commands: list[str] = field(default_factory=list)
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.failed_commands

    def line(self) -> str:
        counts = f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"
        tests = counts if self.passed or self.failed or self.skipped else ""
        trouble = f"  <- {', '.join(self.failed_commands)}" if self.failed_commands else ""
        return f"{'ok' if self.ok else 'FAILED':<7}{self.name:<11}{self.seconds:>7.1f} s  {tests}{trouble}"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.suites", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="SUITE", help=f"of: {', '.join(SUITES)}")
    parser.add_argument("--quick", action="store_true", help="no jails, no browser, no PostgreSQL")
    options = parser.parse_args()
    if unknown := set(options.names) - set(SUITES):
        parser.error(f"there is no suite {min(unknown)}")
    if options.quick:
        os.environ["RIDGEPOINT_TESTS"] = "quick"
    names = options.names or (QUICK if options.quick else SUITES)
    RESULTS.mkdir(parents=True, exist_ok=True)
    results = [_timed(name) for name in SUITES if name in names]
    say("\n" + "\n".join(result.line() for result in results))
    passed, failed, skipped = (
        sum(getattr(result, key) for result in results) for key in ("passed", "failed", "skipped")
    )
    if passed or failed:
        say(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if all(result.ok for result in results) else 1


def _timed(name: str) -> Result:
    say(f"\n=== {name}")
    started = time.monotonic()
    result = Result(name)
    SUITES[name](result)
    result.seconds = time.monotonic() - started
    return result


def lint(result: Result) -> None:
    templates = sorted(str(path.relative_to(ROOT)) for path in TEMPLATES.rglob("*.html"))
    run(result, "ruff check", [BIN / "ruff", "check", "."])
    run(result, "ruff format", [BIN / "ruff", "format", "--check", "."])
    run(result, "djade", [BIN / "djade", "--check", *templates])
    run(result, "djhtml", [BIN / "djhtml", "--check", "--tabwidth", "2", *templates])
    run(result, "migrations", [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"])


def types(result: Result) -> None:
    run(result, "mypy", [BIN / "mypy"])


def contracts(result: Result) -> None:
    run(result, "import-linter", [BIN / "lint-imports"])


def lab(result: Result) -> None:
    """Tests of what runs inside jails, in the jails' own interpreter."""
    python = ROOT / ".labenv" / "bin" / "python"
    pytest(result, [python, "-m", "pytest", "-c", "tests/lab/pytest.ini", "tests/lab"])


def unit(result: Result) -> None:
    """All but the browser's tests, on SQLite."""
    others = ("tests/lab", "tests/e2e")
    command = [sys.executable, "-m", "pytest", "tests", "-n", "2", *(f"--ignore={path}" for path in others)]
    if os.environ.get("RIDGEPOINT_TESTS") == "quick":
        command += ["-m", "not slow"]
    pytest(result, command)


def postgresql(result: Result) -> None:
    """What touches the database, once more on PostgreSQL."""
    try:
        with postgres.server() as url:
            command = [sys.executable, "-m", "pytest", "tests/domain", "tests/web", "-n", "2"]
            pytest(result, command, DATABASE_URL=url)
    except RuntimeError as error:
        say(str(error))
        result.failed_commands.append("server")


def e2e(result: Result) -> None:
    """Pages in a real browser."""
    pytest(result, [sys.executable, "-m", "pytest", "tests/e2e"])


SUITES: dict[str, Callable[[Result], None]] = {
    suite.__name__: suite for suite in (lint, types, contracts, lab, unit, postgresql, e2e)
}
QUICK = ("lint", "types", "contracts", "unit")


def run(result: Result, name: str, command: Sequence[str | Path], **env: str) -> None:
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **env}, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        result.failed_commands.append(name)


def pytest(result: Result, command: Sequence[str | Path], **env: str) -> None:
    counts = RESULTS / f"{result.name}.xml"
    counts.unlink(missing_ok=True)
    run(result, "pytest", [*command, f"--junit-xml={counts}"], **env)
    # Without the file pytest did not get as far as a test, and its status has said so.
    with contextlib.suppress(FileNotFoundError, ElementTree.ParseError):
        for suite in ElementTree.parse(counts).iter("testsuite"):  # noqa: S314 - pytest wrote it
            failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            skipped = int(suite.get("skipped", 0))
            result.failed += failed
            result.skipped += skipped
            result.passed += int(suite.get("tests", 0)) - failed - skipped


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
