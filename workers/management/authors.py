"""What the authors' commands share: the workshop of this machine, names of labs, endings."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand

from graders.authoring.faults import Fault
from workers.pool import default_pool
from workers.publishing import Workshop

REFUSED = 2
BROKEN = 3


def workshop() -> Workshop:
    """Raises SandboxUnavailable."""
    return Workshop(
        sandbox=default_pool(settings.LAB_PYTHON),
        lab_python=settings.LAB_PYTHON,
        courses_dir=settings.COURSES_DIR,
        library_dir=settings.ROOT / "courses" / "labkit" / "src" / "labkit",
        cache_dir=settings.CACHE_DIR,
    )


def course_and_lab(command: BaseCommand, name: str) -> tuple[str, str]:
    slug, separator, lab = name.partition("/")
    if not (slug and separator and lab) or "/" in lab:
        leave(command, REFUSED, f"Name a lab as COURSE/LAB, for example performance-modeling/roofline, not {name!r}.")
    return slug, lab


def leave(command: BaseCommand, code: int, sentence: str, detail: str = "") -> NoReturn:
    """One sentence on standard error, detail for operators below it, and out."""
    command.stderr.write(sentence)
    if detail.strip():
        command.stderr.write(detail.rstrip())
    sys.exit(code)


def listed(slug: str, faults: Iterable[Fault]) -> str:
    """One fault a line, each path as a reader in the current folder would open it."""
    folder: Path = settings.COURSES_DIR / slug
    here = Path.cwd()
    shown = folder.relative_to(here) if folder.is_relative_to(here) else folder
    return "\n".join(f"{shown}/{fault}" for fault in faults)
