"""What pages show of submissions and runs. Each query takes the user, and finds only what that user may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from graders.bundle import LabBundle
from graders.notebook import feedback
from graders.report import Report
from server.domain.accounts.models import User
from server.domain.catalog import queries as catalog
from server.domain.catalog.models import Class, Membership
from server.domain.core import blobs
from server.domain.core.errors import NotFound
from server.domain.labs import rules, waits
from server.domain.labs.actions import ClaimedRun
from server.domain.labs.models import GradingRun, Submission
from server.domain.labs.models import RunKind as RunKind
from server.domain.labs.models import RunState as RunState
from server.domain.labs.scores import Score, score_of

LOOKED_BACK: Final = 50


@dataclass(frozen=True)
class SubmissionRow:
    """One line of a list. `state` is the newest run's; the score is that of the run that counts, if any is done."""

    uuid: UUID
    attempt: int
    user_uuid: UUID
    user_name: str
    lab_slug: str
    lab_title: str
    filename: str
    received_at: datetime
    state: RunState
    score: float | None
    max_score: float | None

    @property
    def share(self) -> float | None:
        """What part of the maximum was reached; None without a score."""
        score = score_of(self.score, self.max_score)
        return score.share if score else None


@dataclass(frozen=True)
class Page:
    rows: list[SubmissionRow]
    number: int
    pages: int
    total: int


@dataclass(frozen=True)
class Standing:
    """How far a user has come in one lab. `state` is that of the latest submission's newest run.

    `best_of` is what the best score could have been: another version of the lab may give other points.
    """

    best: float | None
    best_of: float | None
    state: RunState
    attempts: int


@dataclass(frozen=True)
class SubmissionDetail:
    """`seen_as_staff`: the user sees it as an instructor or assistant of the class, and so sees hidden tests."""

    row: SubmissionRow
    klass: Class
    notes: tuple[str, ...]
    is_own: bool
    seen_as_staff: bool
    may_restart: bool


@dataclass(frozen=True)
class RunStatus:
    """Where the newest run stands. `place`: 1 is next. Seconds; None where it does not apply or is not known.

    `fault` tells staff why the last try failed; students are not shown it.
    """

    state: RunState
    kind: RunKind
    place: int | None
    expected_wait_s: float | None
    phase: str
    cell: int
    of: int
    question: str
    elapsed_s: float | None
    waited_s: float
    tries: int
    fault: str


@dataclass(frozen=True)
class Regraded:
    """That the lab's tests changed after a notebook had been graded: when, why, and what it had until then, if any."""

    at: datetime
    reason: str
    before: float | None
    before_of: float | None


@dataclass(frozen=True)
class GradedReport:
    """`report` as the user may see it: a student's copy holds nothing of hidden tests but what their author says."""

    report: Report
    finished_at: datetime
    has_rendering: bool
    newer_run_failed: bool
    regraded: Regraded | None


def my_submissions(user: User, klass: Class, lab_slug: str) -> list[SubmissionRow]:
    """The user's own, the latest first; nothing for who is no member. Three queries."""
    own = Submission.objects.filter(user=user, klass=klass, lab_slug=lab_slug, klass__memberships__user=user)
    return _rows(_with_runs(own))


def standings(user: User, klass: Class) -> dict[str, Standing]:
    """By lab, where the user handed anything in. Two queries, however many labs there are."""
    submissions = Submission.objects.filter(user=user, klass=klass).order_by("-received_at", "-pk")
    found: dict[str, list[list[GradingRun]]] = {}
    for submission in submissions.prefetch_related(Prefetch("runs", GradingRun.objects.defer("report"))):
        found.setdefault(submission.lab_slug, []).append(list(submission.runs.all()))
    return {lab_slug: _standing(runs) for lab_slug, runs in found.items()}


def class_submissions(
    user: User,
    klass: Class,
    *,
    lab_slug: str | None = None,
    state: str | None = None,
    page: int = 1,
    per_page: int = 50,
) -> Page:
    """What all of the class handed in, the latest first; `state` is the newest run's. Five queries, however many.

    Raises:
        NotFound: the user is not an instructor or assistant of the class.
    """
    if not catalog.may_see_submissions(user, klass):
        raise NotFound("You have no such class.")
    found = Submission.objects.filter(klass=klass)
    if lab_slug is not None:
        found = found.filter(lab_slug=lab_slug)
    if state is not None:
        found = _in_state(found, state)
    total = found.count()
    pages = max(1, -(-total // per_page))
    page = min(max(page, 1), pages)
    return Page(_rows(_with_runs(found)[(page - 1) * per_page : page * per_page]), page, pages, total)


def failed_in(user: User, klass: Class) -> int:
    """How many notebooks of the class our own faults kept from being graded. Two queries.

    Raises:
        NotFound: the user is not an instructor or assistant of the class.
    """
    if not catalog.may_see_submissions(user, klass):
        raise NotFound("You have no such class.")
    return _in_state(Submission.objects.filter(klass=klass), RunState.FAILED).count()


def submission_for(user: User, submission: UUID) -> SubmissionDetail:
    """A submission for its student, or for staff of the class. Four queries.

    Raises:
        NotFound: there is none, or not for this user.
    """
    found, role = _visible(user, submission)
    if found.klass.version_id == found.version_id:
        found.klass.version = found.version
    return SubmissionDetail(
        row=_row(found),
        klass=found.klass,
        notes=tuple(found.notes),
        is_own=found.user_id == user.pk,
        seen_as_staff=role in catalog.STAFF,
        may_restart=role == catalog.Role.INSTRUCTOR,
    )


def run_status(user: User, submission: UUID, *, now: datetime) -> RunStatus:
    """How the newest run of a submission gets on; polled by a page. At most eight queries.

    Raises:
        NotFound: there is no such submission, or not for this user.
    """
    found, role = _visible(user, submission)
    run = rules.current(found.runs.all())
    if run is None:
        raise NotFound("You have no such submission.")
    wait = waits.wait_of(run, now) if run.state == RunState.QUEUED else None
    started_at = None if wait else run.started_at
    return RunStatus(
        state=RunState(run.state),
        kind=RunKind(run.kind),
        place=wait.place if wait else None,
        expected_wait_s=wait.expected_s if wait else None,
        phase=run.phase,
        cell=run.cell,
        of=run.of,
        question=run.question,
        elapsed_s=None if started_at is None else _seconds(started_at, run.finished_at or now),
        waited_s=_seconds(run.queued_at, started_at or run.finished_at or now),
        tries=run.tries,
        fault=run.fault if role in catalog.STAFF else "",
    )


def report_for(user: User, submission: UUID) -> GradedReport | None:
    """The report that counts, as this user may see it, or None while there is none. Four queries.

    Raises:
        NotFound: there is no such submission, or not for this user.
    """
    found, role = _visible(user, submission)
    runs = list(found.runs.all())
    run = rules.counted(runs)
    if run is None:
        return None
    told = GradingRun.objects.values_list("report", "regrade__closed_at", "regrade__reason")
    text, regraded_at, reason = told.get(pk=run.pk)
    report = Report.from_json((text or "").encode())
    newest = rules.current(runs)
    return GradedReport(
        report=report if role in catalog.STAFF else feedback.for_student(report),
        finished_at=run.finished_at or run.queued_at,
        has_rendering=bool(run.html_sha),
        newer_run_failed=newest is not None and newest.state == RunState.FAILED,
        regraded=_regraded(run, runs, regraded_at, reason),
    )


def rendered_notebook(user: User, submission: UUID) -> str | None:
    """The executed notebook as sanitized HTML, or None while it is not rendered. Raises NotFound."""
    run = rules.counted(_visible(user, submission)[0].runs.all())
    return blobs.get(run.html_sha).decode() if run is not None and run.html_sha else None


def executed_notebook(user: User, submission: UUID) -> bytes | None:
    """The executed notebook, as .ipynb, or None while there is no report. Raises NotFound."""
    run = rules.counted(_visible(user, submission)[0].runs.all())
    return blobs.get(run.executed_sha) if run is not None and run.executed_sha else None


def submitted_notebook(user: User, submission: UUID) -> tuple[str, bytes]:
    """The file as it was handed in, and its name. Raises NotFound."""
    found, _ = _visible(user, submission)
    return found.filename, blobs.get(found.raw_sha)


def work_of(claimed: ClaimedRun) -> tuple[LabBundle, bytes]:
    """The bundle and the normalized notebook of a claimed run.

    Raises:
        BlobLost: one of them is gone from the store.
    """
    return catalog.bundle(claimed.bundle), blobs.get(claimed.notebook_sha)


def latest_bundles(most: int) -> list[LabBundle]:
    """Of the labs that were handed in last, the latest first: what is likely to be graded next. Raises BlobLost."""
    # A version's manifest holds a whole course: each is read once, not once a row.
    latest = Submission.objects.prefetch_related("version").order_by("-pk")[:LOOKED_BACK]
    labs = dict.fromkeys((submission.version, submission.lab_slug) for submission in latest)
    return [catalog.bundle(catalog.lab_in(version, slug).bundle) for version, slug in list(labs)[:most]]


def _regraded(run: GradingRun, runs: list[GradingRun], at: datetime | None, reason: str | None) -> Regraded | None:
    if at is None or reason is None:
        return None
    before = next((each for each in runs if each.pk == run.compared_with_id), None)
    return Regraded(at, reason, before.score if before else None, before.max_score if before else None)


def _seconds(start: datetime, end: datetime) -> float:
    """Never below zero: the clocks of two machines may differ."""
    return max(0.0, (end - start).total_seconds())


def _with_runs(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """Newest first, with their runs; what is large, the reports' texts, stays in the database."""
    runs = GradingRun.objects.defer("report").order_by("number")
    return submissions.select_related("user").prefetch_related(Prefetch("runs", runs)).order_by("-received_at", "-pk")


def _in_state(submissions: QuerySet[Submission], state: str) -> QuerySet[Submission]:
    newest = GradingRun.objects.filter(submission=OuterRef("pk"), trial=False).order_by("-number")
    return submissions.annotate(newest_state=Subquery(newest.values("state")[:1])).filter(newest_state=state)


def _rows(submissions: QuerySet[Submission]) -> list[SubmissionRow]:
    # Each version is read once, not once a row: its manifest holds a whole course.
    return [_row(found) for found in submissions.prefetch_related("version")]


def _visible(user: User, submission: UUID) -> tuple[Submission, catalog.Role]:
    """The submission and the user's role in its class: its own student's, or the class's staff's. Three queries."""
    found = _with_runs(Submission.objects.filter(uuid=submission).select_related("klass__course")).first()
    if found is not None:
        role = Membership.objects.filter(user=user, klass=found.klass_id).values_list("role", flat=True).first()
        if role is not None and (found.user_id == user.pk or role in catalog.STAFF):
            return found, catalog.Role(role)
    raise NotFound("You have no such submission.")


def _row(submission: Submission) -> SubmissionRow:
    runs = list(submission.runs.all())
    newest, counted = rules.current(runs), rules.counted(runs)
    return SubmissionRow(
        uuid=submission.uuid,
        attempt=submission.attempt,
        user_uuid=submission.user.uuid,
        user_name=submission.user.name,
        lab_slug=submission.lab_slug,
        lab_title=catalog.lab_title(submission.version, submission.lab_slug),
        filename=submission.filename,
        received_at=submission.received_at,
        state=RunState(newest.state) if newest else RunState.QUEUED,
        score=counted.score if counted else None,
        max_score=counted.max_score if counted else None,
    )


def _standing(attempts: list[list[GradingRun]]) -> Standing:
    """`attempts` holds each submission's runs, the latest submission's first."""
    graded = [run for runs in attempts if (run := rules.counted(runs))]
    best = max(graded, key=lambda run: Score(run.score or 0.0, run.max_score or 0.0).share, default=None)
    newest = rules.current(attempts[0])
    return Standing(
        best=best.score if best else None,
        best_of=best.max_score if best else None,
        state=RunState(newest.state) if newest else RunState.QUEUED,
        attempts=len(attempts),
    )
