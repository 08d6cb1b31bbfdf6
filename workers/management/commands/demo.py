"""The whole way of one notebook, for a newcomer: `manage.py demo`, or `make demo`."""

from __future__ import annotations

import contextlib
import logging
import secrets
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from graders.authoring.notebooks import with_answer
from graders.authoring.source import Wrong, read_lab_source
from graders.bundle import LabBundle
from graders.report import Report
from server.domain.accounts import queries as people
from server.domain.catalog import actions as catalog
from server.domain.core import clock
from server.domain.core.errors import DomainError
from server.domain.labs import actions as labs
from server.domain.labs import queries
from workers import services
from workers.management import authors, cast
from workers.management.commands.up import stop_signals, tree
from workers.management.terminal import report_text
from workers.publishing import CompiledCourse, CourseFaults, Workshop, compile_course
from workers.publishing.compile import AssignFailed
from workers.sandbox.interface import SandboxUnavailable
from workers.supervisor import Service, StartFailed, Supervisor

if TYPE_CHECKING:
    from uuid import UUID

    from server.domain.accounts.models import User
    from server.domain.catalog.models import Class

PORT: Final = 8000
# Over the lab's own limit: starting the worker, the jails, and a run before ours in the queue.
EXTRA_S: Final = 240.0


@dataclass(frozen=True)
class Sample:
    """A notebook whose marks are known before it is graded: the lab's solution with one planted wrong answer."""

    klass: Class
    lab: str
    bundle: LabBundle
    wrong: Wrong

    @property
    def notebook(self) -> str:
        return with_answer(self.bundle.solution, self.wrong.question, self.wrong.code)


class Command(BaseCommand):
    help = "Publishes the bundled courses, hands in a notebook as a student, shows its report, serves the pages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, help=f"where the pages are served ({PORT}, or any that is free)")
        parser.add_argument("--once", action="store_true", help="end after the report; status 0 if it is as expected")

    def handle(self, *, port: int | None, once: bool, **options: Any) -> None:
        # The audit's lines belong in the services' log; here they would stand between ours.
        logging.getLogger().setLevel(logging.WARNING)
        try:
            with stop_signals() as stopping, self._tree(port) as (up, url), self._log() as log:
                supervisor = Supervisor(up, say=self._say, output=log)
                everybody = cast.people_of_the_demo()
                sample = self._prepare(everybody)
                try:
                    supervisor.start(wanted=lambda: not stopping)
                    surprises = self._grade(sample, url, supervisor, stopping)
                    self._conclude(surprises)
                    if not once:
                        self._invite(everybody, url)
                    while not once and not stopping:
                        supervisor.tick()
                        time.sleep(0.1)
                finally:
                    supervisor.stop()
        except CourseFaults as broken:
            raise CommandError("\n".join(map(str, broken.faults))) from broken
        except (services.Taken, StartFailed, SandboxUnavailable, AssignFailed, DomainError) as error:
            raise CommandError(str(error)) from error
        if once and surprises:
            raise CommandError("The notebook was not graded as expected.")

    @contextlib.contextmanager
    def _tree(self, port: int | None) -> Iterator[tuple[list[Service], str]]:
        concurrency = services.default_concurrency()
        wanted = services.default_names()
        with contextlib.ExitStack() as held:
            try:
                up, url = held.enter_context(
                    tree(wanted, host="127.0.0.1", port=PORT if port is None else port, concurrency=concurrency)
                )
            except services.PortTaken:
                if port is not None:
                    raise
                up, url = held.enter_context(tree(wanted, host="127.0.0.1", port=0, concurrency=concurrency))
            yield up, url or ""

    @contextlib.contextmanager
    def _log(self) -> Iterator[IO[bytes]]:
        path = settings.DATA_DIR / "run" / "demo.log"
        with path.open("wb") as log:
            self._say(f"What the services say is in {path}.")
            yield log

    def _prepare(self, everybody: list[cast.Person]) -> Sample:
        """The database, the published courses and the people."""
        call_command("migrate", verbosity=0)
        workshop = authors.workshop()
        slugs = sorted(path.parent.name for path in settings.COURSES_DIR.glob("*/course.yaml"))
        if not slugs:
            raise CommandError(
                f"There is no course in {settings.COURSES_DIR}: a course is a folder with a course.yaml."
            )
        samples = [self._publish(workshop, everybody, slug) for slug in slugs]
        return next((sample for sample in samples if sample), None) or self._no_sample()

    def _publish(self, workshop: Workshop, everybody: list[cast.Person], slug: str) -> Sample | None:
        started = time.monotonic()
        course = compile_course(workshop, slug)
        now = clock.now()
        version = catalog.publish_course(actor=None, manifest=course.manifest, labs=course.labs, now=now)
        klass = cast.enroll(everybody, version, slug)
        names = ", ".join(course.labs)
        self._say(f"Published {slug}, version {version.number} ({names}), in {time.monotonic() - started:.1f} s.")
        return self._sample(workshop, course, klass)

    def _sample(self, workshop: Workshop, course: CompiledCourse, klass: Class) -> Sample | None:
        for name, bundle in course.labs.items():
            source, _ = read_lab_source(workshop.courses_dir / course.slug, name)
            if source is not None and source.wrongs:
                return Sample(klass, name, bundle, source.wrongs[0])
        return None

    def _no_sample(self) -> NoReturn:
        raise CommandError("No bundled lab has a planted wrong solution, so there is no notebook to hand in.")

    def _grade(self, sample: Sample, url: str, supervisor: Supervisor, stopping: list[int]) -> list[str]:
        """Hand it in as Sam, follow the run, show the report. Returns what is not as expected."""
        sam = people.by_username("sam")
        self._say(
            f"Sam hands in the lab {sample.bundle.lab}: all right, except that {sample.wrong.question} "
            f"{sample.wrong.mistake}."
        )
        submission = labs.submit_notebook(
            actor=sam,
            klass=sample.klass,
            lab_slug=sample.lab,
            filename=f"{sample.lab}.ipynb",
            content=sample.notebook.encode(),
            idempotency_key=secrets.token_hex(16),
            now=clock.now(),
        )
        watch = url.rstrip("/") + reverse("web:run", args=[submission.uuid])
        self._say(f"Watch it at {watch} (sign in as sam).")
        self._follow(sam, submission.uuid, sample.bundle.limits.run_s + EXTRA_S, supervisor, stopping)
        graded = queries.report_for(sam, submission.uuid)
        if stopping:
            return ["It was stopped before the end."]
        log = settings.DATA_DIR / "run" / "demo.log"
        if graded is None:
            fault = queries.run_status(people.by_username("ines"), submission.uuid, now=clock.now()).fault
            return [fault or f"The run did not end in time: {log} says why."]
        self.stdout.write("\n" + report_text(graded.report, sample.bundle.title))
        surprises = surprises_in(graded.report, sample.wrong.question)
        return surprises if graded.has_rendering else [*surprises, f"The notebook was not rendered: {log} says why."]

    def _follow(
        self, user: User, submission: UUID, seconds: float, supervisor: Supervisor, stopping: list[int]
    ) -> None:
        """Show where the run is until it has failed, or its report and the rendered notebook are there."""
        show = _Line(self.stdout)
        end = time.monotonic() + seconds
        while not stopping and time.monotonic() < end:
            supervisor.tick()
            status = queries.run_status(user, submission, now=clock.now())
            graded = queries.report_for(user, submission)
            show("Rendering the executed notebook." if graded else _sentence(status))
            if status.state == queries.RunState.FAILED or (graded and graded.has_rendering):
                break
            time.sleep(0.1)
        show.end()

    def _conclude(self, surprises: list[str]) -> None:
        if not surprises:
            self._say("Graded as expected: the planted mistake lost its own marks and no others.")
        for surprise in surprises:
            self._say(f"Not as expected: {surprise}")

    def _invite(self, everybody: list[cast.Person], url: str) -> None:
        self._say(f"\nThe pages are at {url}")
        for person in everybody:
            self._say(f"  {person.username:<6}{person.password:<14}{person.name}, {person.part}")
        self._say("\nCtrl-C stops everything.")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def surprises_in(report: Report, planted: str) -> list[str]:
    """What differs from full marks in every question but the planted one: one sentence each."""
    found = []
    for question in report.questions:
        marks = f"{question.points:g} of {question.max_points:g} points"
        if question.name == planted and question.points >= question.max_points:
            found.append(f"{question.name} has {marks}, though its answer is wrong.")
        elif question.name != planted and question.points < question.max_points:
            found.append(f"{question.name} has {marks}, though its answer is right.")
    if planted not in {question.name for question in report.questions}:
        found.append(f"{planted} is not in the report.")
    return found


def _sentence(status: queries.RunStatus) -> str:
    elapsed = f" ({status.elapsed_s:.0f} s)" if status.elapsed_s is not None else ""
    if status.state == queries.RunState.QUEUED:
        return f"Waiting in the queue: place {status.place}."
    if status.state == queries.RunState.RUNNING and status.of:
        question = f", {status.question}" if status.question else ""
        return f"Executing cell {status.cell} of {status.of}{question}{elapsed}."
    return {"running": f"Starting the jails{elapsed}.", "done": f"Done{elapsed}.", "failed": "Failed."}[status.state]


class _Line:
    """One line that is written over on a terminal; elsewhere a line for each thing that changes but the seconds."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._over = sys.stdout.isatty()
        self._last = ""

    def __call__(self, text: str) -> None:
        if self._over:
            self._stream.write(f"\r\033[K{text}", ending="")
        elif (bare := text.partition(" (")[0].rstrip(".")) != self._last:
            self._last = bare
            self._stream.write(text)
        self._stream.flush()

    def end(self) -> None:
        if self._over:
            self._stream.write("")
