from __future__ import annotations

import json
import secrets
import time
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from graders.authoring.faults import CourseFaults
from graders.bundle import LabBundle
from graders.notebook import intake
from graders.report import Report
from workers import engine
from workers.management import authors
from workers.management.terminal import report_text
from workers.publishing.compile import AssignFailed, UnknownLab, compile_lab
from workers.publishing.workshop import Workshop
from workers.sandbox.interface import SandboxUnavailable


class Command(BaseCommand):
    help = "Grade one notebook as the service would. Exit 0: graded; 2: refused at intake; 3: this machine's fault."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("lab", metavar="COURSE/LAB")
        parser.add_argument("notebook", type=Path)
        parser.add_argument("--json", action="store_true", help="print only the report, as JSON")
        parser.add_argument("--seed", type=int, help="grade with this seed, to reproduce a report")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, lab = authors.course_and_lab(self, options["lab"])
        try:
            workshop = authors.workshop()
            bundle = self._bundle(workshop, slug, lab)
            report = self._grade(workshop, bundle, options["notebook"], options["seed"])
        except intake.Refused as refusal:
            authors.leave(self, authors.REFUSED, str(refusal))
        except (engine.InfrastructureFault, AssignFailed, SandboxUnavailable) as fault:
            detail = getattr(fault, "detail", "") or str(fault.__cause__ or "")
            authors.leave(self, authors.BROKEN, str(fault), detail)
        if options["json"]:
            self.stdout.write(json.dumps(report.to_dict(), ensure_ascii=False, indent=2))
        else:
            self.stdout.write(report_text(report, bundle.title))

    def _bundle(self, workshop: Workshop, slug: str, lab: str) -> LabBundle:
        try:
            return compile_lab(workshop, slug, lab)
        except UnknownLab as unknown:
            authors.leave(self, authors.REFUSED, unknown.faults[0].message)
        except CourseFaults as broken:
            sentence = f"The lab {slug}/{lab} has faults: mend them first (manage.py course check {slug})."
            authors.leave(self, authors.BROKEN, sentence, authors.listed(slug, broken.faults))

    def _grade(self, workshop: Workshop, bundle: LabBundle, path: Path, seed: int | None) -> Report:
        try:
            data = path.read_bytes()
        except OSError as error:
            authors.leave(self, authors.REFUSED, f"{path} can't be read: {error.strerror}.")
        taken = intake.normalize(data, filename=path.name, max_bytes=bundle.limits.notebook_bytes)
        taken = intake.check_lab(taken, bundle.lab, starter=bundle.starter)
        progress = _Progress(self)
        outcome = engine.grade(
            bundle,
            taken.notebook,
            seed=secrets.randbits(32) if seed is None else seed,
            sandbox=workshop.sandbox,
            lab_python=workshop.lab_python,
            cache_dir=workshop.cache_dir,
            on_progress=progress,
        )
        progress.end()
        report = outcome.report
        return replace(
            report,
            timing=replace(report.timing, started_s=progress.started_s),
            notes=(*taken.notes, *(note for note in report.notes if note not in taken.notes)),
        )


class _Progress:
    """Shows where grading is, to a person at a terminal, and remembers when the first cell began."""

    def __init__(self, command: BaseCommand) -> None:
        self._command = command
        self._began = time.monotonic()
        self.started_s = 0.0

    def __call__(self, progress: engine.Progress) -> None:
        if not self.started_s and progress.phase != "starting":
            self.started_s = time.monotonic() - self._began
        if self._command.stderr.isatty():
            question = f", {progress.question}" if progress.question else ""
            line = f"{progress.phase}: cell {progress.cell} of {progress.of}{question}"
            self._command.stderr.write(f"\r\033[K{line}", ending="")

    def end(self) -> None:
        if self._command.stderr.isatty():
            self._command.stderr.write("\r\033[K", ending="")
