"""`python -m tests.notebooks [START OF A NAME ...]`: what the student sees of each case, and whether that is right."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from tests.notebooks.case import Case, Told


def main(parts: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings.test")
    django.setup()
    from tests.notebooks.case import all_cases

    def tried(case: Case) -> tuple[Told, list[str]]:
        told = case.told()
        return told, case.faults(told)

    chosen = [case for case in all_cases() if not parts or case.name.startswith(tuple(parts))]
    began, wrong = time.monotonic(), 0
    # Two at a time; a jail dies with the thread that started it, and these live until the end.
    with ThreadPoolExecutor(2) as pool:
        for case, (told, faults) in zip(chosen, pool.map(tried, chosen), strict=True):
            wrong += bool(faults)
            say(case.name, told, faults)
    sys.stdout.write(f"\n{len(chosen)} cases, {wrong} wrong, {time.monotonic() - began:.0f} s\n")
    return 1 if wrong else 0


def say(name: str, told: Told, faults: list[str]) -> None:
    points = " ".join(f"{question}={value:g}" for question, value in told.points.items())
    sys.stdout.write(f"{'WRONG' if faults else 'ok':<6}{name:<52}{points or 'refused'}\n")
    lines = [told.refused, *told.about_the_run]
    lines += [f"{question}: {message}" for question in told.points for message in told.about(question)[:1]]
    lines += [f"WRONG: it {fault}." for fault in faults]
    for line in filter(None, lines):
        shown = textwrap.shorten(line, 500, placeholder=" ...")
        sys.stdout.write(textwrap.indent(textwrap.fill(shown, 110), " " * 8) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
