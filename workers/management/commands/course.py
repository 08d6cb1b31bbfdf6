from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from graders.authoring.faults import CourseFaults
from server.domain.catalog import actions
from server.domain.core import clock
from workers import engine
from workers.management import authors
from workers.publishing import CompiledCourse, Workshop, check_course, compile_course
from workers.publishing.check import TIMES
from workers.publishing.compile import AssignFailed
from workers.sandbox.interface import SandboxUnavailable


class Command(BaseCommand):
    help = "Check a course with all its labs, or publish it as a new version."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("check", "publish"))
        parser.add_argument("slug", metavar="COURSE")
        parser.add_argument(
            "--times", type=int, default=TIMES, help="how often the solution must get full marks (default: %(default)s)"
        )
        parser.add_argument("--jobs", type=int, default=1, help="how many notebooks to grade at once (default: 1)")
        parser.add_argument("--fresh", action="store_true", help="run all proofs again, whatever held before")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"]
        try:
            workshop = authors.workshop()
            before = self._compiled(workshop, slug) if options["what"] == "publish" else None
            self._check(workshop, slug, max(1, options["times"]), max(1, options["jobs"]), options["fresh"])
            if options["what"] == "publish":
                self._publish(workshop, slug, before)
        except CourseFaults as broken:
            authors.leave(self, 1, authors.listed(slug, broken.faults))
        except (engine.InfrastructureFault, AssignFailed, SandboxUnavailable) as fault:
            authors.leave(self, authors.BROKEN, str(fault), getattr(fault, "detail", ""))

    def _compiled(self, workshop: Workshop, slug: str) -> CompiledCourse | None:
        """None for a course with faults: the check will list them, with those that only a run can show."""
        try:
            return compile_course(workshop, slug)
        except CourseFaults:
            return None

    def _check(self, workshop: Workshop, slug: str, times: int, jobs: int, fresh: bool) -> None:
        faults = check_course(workshop, slug, times=times, fresh=fresh, jobs=jobs, say=self.stderr.write)
        if faults:
            self.stdout.write(authors.listed(slug, faults))
            authors.leave(self, 1, f"{slug} has {len(faults)} fault{'s' if len(faults) > 1 else ''}: mend them.")
        self.stdout.write(f"{slug}: no faults.")

    def _publish(self, workshop: Workshop, slug: str, before: CompiledCourse | None) -> None:
        compiled = compile_course(workshop, slug)
        if compiled != before:
            authors.leave(self, 1, f"{slug} was edited while it was being proved: publish it again.")
        now = clock.now()
        version = actions.publish_course(actor=None, manifest=compiled.manifest, labs=compiled.labs, now=now)
        if version.published_at == now:
            self.stdout.write(f"{slug}: published as version {version.number}.")
        else:
            self.stdout.write(f"{slug}: nothing changed; version {version.number} has this content.")
