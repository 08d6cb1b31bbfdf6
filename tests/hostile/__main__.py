"""`python -m tests.hostile`: run the corpus and print a table; status 1 when an attack gained or left anything."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Final

import django

from tests.hostile import corpus

ATHERIS: Final = "atheris==3.0.0"
FUZZED: Final = ("codec", "intake", "report")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--only", metavar="KIND[/NAME]", default="", help="attacks whose name begins like this")
    parser.add_argument("--sandbox", default="warm", choices=("cold", "warm"))
    parser.add_argument("--outputs", action="store_true", help="print the executed notebook's outputs too")
    parser.add_argument(
        "--fuzz", metavar="SECONDS", type=int, help="instead, fuzz the codec, intake and reports so long"
    )
    options = parser.parse_args()
    if options.fuzz:
        return fuzz(options.fuzz)
    chosen = corpus.attacks(options.only)
    if not chosen:
        parser.error(f"no attack is called {options.only}")

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings.test")
    django.setup()
    from tests.hostile.campaign import Verdict, shown
    from tests.hostile.crew import verdicts

    def show(verdict: Verdict) -> None:
        attack = verdict.attack
        naive = textwrap.shorten(re.split("[,;:]", attack.naive)[0].rstrip("."), 30, placeholder=" …")
        fate = "holds" if not verdict.troubles else "FAILED"
        say(f"{attack.kind:<11}{attack.name:<36}{naive:<31}{verdict.ours:<9}{fate:<7}{verdict.seconds:>6.1f} s")
        for trouble in verdict.troubles:
            say(f"    {trouble[:2_000]}")
        if options.outputs and verdict.outcome is not None:
            say(shown(verdict.outcome.executed))

    say(f"{'kind':<11}{'attack':<36}{'naive grader':<31}{'ours':<9}{'walls':<7}{'time':>8}")
    began, failed = time.monotonic(), 0
    for verdict in verdicts(chosen, options.sandbox):
        failed += bool(verdict.troubles)
        show(verdict)
    kinds = len({attack.kind for attack in chosen})
    held = f"{len(chosen) - failed} of {len(chosen)} attacks of {kinds} kinds gained nothing and left nothing"
    say(f"{held}; {time.monotonic() - began:.0f} s on the {options.sandbox} sandbox")
    return 1 if failed else 0


def fuzz(seconds: int) -> int:
    """Each target in turn, in the lab's interpreter. What made one fail stays in build/fuzz."""
    root = Path(__file__).parents[2]
    python, packages = root / ".labenv" / "bin" / "python", root / "build" / "fuzz"
    command = [python, "-m", "pip", "install", "--quiet", "--upgrade", "--no-deps", "--target", packages, ATHERIS]
    if not (packages / "atheris").is_dir() and subprocess.run(command, check=False).returncode:
        say(f"There is no fuzzing here: {ATHERIS} has no package for this Python and machine.")
        return 1
    failed = []
    for target in FUZZED:
        command = [python, "-m", "tests.hostile.fuzz", target, str(seconds // len(FUZZED))]
        environment = {**os.environ, "PYTHONPATH": f"{root}:{packages}", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        tried = re.search(r"number_of_executed_units: *(\d+)", done.stdout)
        say(f"{target}: {int(tried[1]):,} inputs" if tried else f"{target}: stopped early")
        if done.returncode:
            say(done.stdout[-4_000:])
            failed.append(target)
    say(f"failed: {', '.join(failed)}; the input is in {packages}" if failed else "nothing was found")
    return 1 if failed else 0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
