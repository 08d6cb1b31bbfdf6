from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from graders.authoring.faults import CourseFaults
from workers.management import authors
from workers.publishing.compile import AssignFailed, UnknownLab, compile_lab
from workers.sandbox.interface import SandboxUnavailable


class Command(BaseCommand):
    help = "Write a lab's generated notebook: the starter that students get, or the solution."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("which", choices=("starter", "solution"))
        parser.add_argument("lab", metavar="COURSE/LAB")
        parser.add_argument("-o", "--output", required=True, help="the file to write; - is standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        slug, lab = authors.course_and_lab(self, options["lab"])
        try:
            bundle = compile_lab(authors.workshop(), slug, lab)
        except UnknownLab as unknown:
            authors.leave(self, authors.REFUSED, unknown.faults[0].message)
        except CourseFaults as broken:
            sentence = f"The lab {slug}/{lab} has faults: mend them first."
            authors.leave(self, 1, sentence, authors.listed(slug, broken.faults))
        except (AssignFailed, SandboxUnavailable) as fault:
            authors.leave(self, authors.BROKEN, str(fault))
        text = bundle.starter if options["which"] == "starter" else bundle.solution
        if options["output"] == "-":
            self.stdout.write(text, ending="")
            return
        try:
            Path(options["output"]).write_text(text, encoding="utf-8")
        except OSError as error:
            authors.leave(self, authors.REFUSED, f"{options['output']} can't be written: {error.strerror}.")
