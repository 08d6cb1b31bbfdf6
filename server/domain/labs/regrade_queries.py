"""What pages show of regrades. Only the staff of a class finds any; assistants see all that its instructors see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Final
from uuid import UUID

from django.db.models import Count, Q

from graders.bundle import Question
from graders.report import Report
from server.domain.accounts.models import User
from server.domain.catalog import queries as catalog
from server.domain.catalog.models import Class
from server.domain.core.errors import NotFound
from server.domain.labs import regrade_rules, report_changes, rules, trials
from server.domain.labs.models import GradingRun, Regrade, RegradeState, RunState
from server.domain.labs.regrade_rules import Bar
from server.domain.labs.regrade_rules import Effect as Effect
from server.domain.labs.report_changes import QuestionChange
from server.domain.labs.scores import Score
from server.domain.labs.trials import Comparison

PER_PAGE: Final = 50
LOOK_FIRST: Final = (Effect.LOSES, Effect.KEEPS, Effect.FAILED, Effect.WAITING, Effect.GAINS, Effect.STAYS)


@dataclass(frozen=True)
class RegradeFacts:
    """`asked_by` and `closed_by` are empty for the operator."""

    uuid: UUID
    klass: Class
    lab_slug: str
    lab_title: str
    version: int
    also_current: bool
    keep_higher: bool
    reason: str
    state: RegradeState
    asked_by: str
    asked_at: datetime
    closed_by: str
    closed_at: datetime | None
    may_decide: bool

    @property
    def is_open(self) -> bool:
        return self.state == RegradeState.OPEN


@dataclass(frozen=True)
class VersionChoice:
    """`outdated`: how many notebooks other tests than this version's graded."""

    number: int
    published_at: datetime
    is_the_classs: bool
    outdated: int


@dataclass(frozen=True)
class Choices:
    """The versions that have a lab, the newest first, and how many notebooks were handed in."""

    lab_title: str
    total: int
    versions: tuple[VersionChoice, ...]


@dataclass(frozen=True)
class TrialProgress:
    """Counts of trials: each submission's newest."""

    total: int
    waiting: int
    running: int

    @property
    def goes_on(self) -> bool:
        return self.waiting + self.running > 0

    @property
    def ended(self) -> int:
        return self.total - self.waiting - self.running


@dataclass(frozen=True)
class ChangeRow:
    """What becomes of one submission. `from_version` is the one that the notebook's starter came from.

    `gain` is a part of the maximum; `fault` tells why the trial failed; `changed` the questions that differ;
    `cut_short`: the notebook did not run to its end, as it had before.
    """

    submission: UUID
    user_name: str
    username: str
    attempt: int
    received_at: datetime
    from_version: int
    old: Score | None
    new: Score | None
    gain: float | None
    effect: Effect
    fault: str
    changed: tuple[QuestionChange, ...]
    cut_short: bool


@dataclass(frozen=True)
class Bests:
    """How many students' best scores of the lab rise, fall and stay."""

    rise: int
    fall: int
    stay: int


@dataclass(frozen=True)
class Preview:
    """`counts` and `bars` are of the whole regrade, `rows` of one page of those that the filter leaves.

    `late`: how many came in since that other tests graded. `lacked`: questions that some of these notebooks' starters
    didn't have. `means`: the average parts of the maximum before and after, where there are both.
    """

    facts: RegradeFacts
    progress: TrialProgress
    counts: Mapping[Effect, int]
    bars: tuple[Bar, ...]
    means: tuple[float, float] | None
    maxima_differ: bool
    bests: Bests | None
    lacked: tuple[Question, ...]
    late: int
    fingerprint: str
    rows: list[ChangeRow]
    matching: int
    number: int
    pages: int


def regrades_of(user: User, klass: Class) -> list[RegradeFacts]:
    """A class's regrades, the latest first. Two queries. Raises NotFound unless the user is on its staff."""
    if not catalog.may_see_submissions(user, klass):
        raise NotFound("You have no such class.")
    may_decide = catalog.may_restart_runs(user, klass)
    # A version's manifest holds a whole course: each is read once, not once a row.
    found = klass.regrades.select_related("asked_by", "closed_by").prefetch_related("version")
    return [_facts(each, klass, may_decide) for each in found.order_by("-asked_at", "-pk")]


def choices(user: User, klass: Class, lab_slug: str) -> Choices:
    """With which versions' tests a lab may be graded again. Three queries. Raises NotFound."""
    if not catalog.may_see_submissions(user, klass):
        raise NotFound("You have no such class.")
    versions = catalog.lab_versions(klass.course_id, lab_slug)
    if not versions:
        raise NotFound("This course has no such lab.")
    present = [trials.graded_with(runs, versions) for runs in trials.runs_by_submission(klass.pk, lab_slug).values()]
    return Choices(
        lab_title=next(iter(versions.values())).title,
        total=len(present),
        versions=tuple(
            VersionChoice(
                number=version.number,
                published_at=version.published_at,
                is_the_classs=pk == klass.version_id,
                outdated=sum(bundle != version.bundle for bundle in present),
            )
            for pk, version in versions.items()
        ),
    )


def progress_of(user: User, regrade: UUID) -> tuple[RegradeFacts, TrialProgress]:
    """How far the trials are; polled by a page. Three queries, however many trials there are. Raises NotFound."""
    found, facts = _visible(user, regrade)
    return facts, _progress(found)


def preview(user: User, regrade: UUID, *, only: Effect | None = None, page: int = 1) -> Preview:
    """What applying the regrade would change or, once it is applied, what it changed.

    A number of queries that does not grow with the class. Raises NotFound.
    """
    found, facts = _visible(user, regrade)
    runs = trials.runs_by_submission(found.klass_id, found.lab_slug)
    versions = catalog.lab_versions(found.version.course_id, found.lab_slug)
    compared = sorted(trials.compare(found, runs), key=_look_first)
    shown = [each for each in compared if only is None or each.effect == only]
    pages = max(1, -(-len(shown) // PER_PAGE))
    page = min(max(page, 1), pages)
    pairs = [(each.old, each.new) for each in compared if each.old and each.new]
    lacking = _Lacking(found, versions)
    return Preview(
        facts=facts,
        progress=_progress(found),
        counts=Counter(each.effect for each in compared),
        bars=regrade_rules.histogram(each.gain for each in compared if each.gain is not None and each.old),
        means=_means(compared),
        maxima_differ=any(old.most != new.most for old, new in pairs if old and new),
        bests=_bests(runs, compared) if facts.is_open else None,
        lacked=lacking.by_any(compared),
        late=len(trials.outdated(found, runs, versions)) if facts.is_open else 0,
        fingerprint=trials.fingerprint(compared),
        rows=list(_rows(shown[(page - 1) * PER_PAGE : page * PER_PAGE], versions, lacking)),
        matching=len(shown),
        number=page,
        pages=pages,
    )


def all_rows(user: User, regrade: UUID) -> Iterator[ChangeRow]:
    """Every row of the preview, by student and attempt, with few reports in memory at a time. Raises NotFound."""
    found, _ = _visible(user, regrade)
    versions = catalog.lab_versions(found.version.course_id, found.lab_slug)
    compared = trials.compare(found, trials.runs_by_submission(found.klass_id, found.lab_slug))
    compared.sort(key=lambda each: (each.submission.user.name, each.submission.user_id, each.submission.attempt))
    lacking = _Lacking(found, versions)
    for start in range(0, len(compared), PER_PAGE):
        yield from _rows(compared[start : start + PER_PAGE], versions, lacking)


class _Lacking:
    """Which questions of the regrade's version each older starter lacks."""

    def __init__(self, regrade: Regrade, versions: Mapping[int, catalog.LabVersion]) -> None:
        self._versions = versions
        self._asked = catalog.bundle(versions[regrade.version_id].bundle).questions
        self._known: dict[int, frozenset[str]] = {}

    def by(self, version: int) -> frozenset[str]:
        if version not in self._known:
            had = catalog.bundle(self._versions[version].bundle).questions if version in self._versions else ()
            self._known[version] = frozenset(each.name for each in self._asked) - {each.name for each in had}
        return self._known[version]

    def by_any(self, compared: Sequence[Comparison]) -> tuple[Question, ...]:
        lacked = {name for version in {each.submission.version_id for each in compared} for name in self.by(version)}
        return tuple(question for question in self._asked if question.name in lacked)


def _rows(
    compared: Sequence[Comparison], versions: Mapping[int, catalog.LabVersion], lacking: _Lacking
) -> Iterator[ChangeRow]:
    runs = {run.pk for each in compared if each.new for run in (each.before, each.trial) if run}
    texts = GradingRun.objects.filter(pk__in=runs).values_list("pk", "report")
    reports = {run: Report.from_json((text or "").encode()) for run, text in texts}
    for each in compared:
        submission, after = each.submission, reports.get(each.trial.pk)
        before = reports.get(each.before.pk) if each.before else None
        version = versions.get(submission.version_id)
        yield ChangeRow(
            submission=submission.uuid,
            user_name=submission.user.name,
            username=submission.user.username,
            attempt=submission.attempt,
            received_at=submission.received_at,
            from_version=version.number if version else 0,
            old=each.old,
            new=each.new,
            gain=each.gain,
            effect=each.effect,
            fault=each.trial.fault if each.effect == Effect.FAILED else "",
            changed=report_changes.changes(before, after, lacking=lacking.by(submission.version_id)) if after else (),
            cut_short=bool(before and after and before.status == "complete" and after.status == "partial"),
        )


def _look_first(each: Comparison) -> tuple[object, ...]:
    """Losses first, the greatest of them before all, then what failed; then by name."""
    submission = each.submission
    return LOOK_FIRST.index(each.effect), each.gain or 0.0, submission.user.name, submission.user_id, submission.attempt


def _means(compared: Sequence[Comparison]) -> tuple[float, float] | None:
    pairs = [(each.old.share, then.share) for each in compared if each.old and (then := trials.score_of(each.stays_at))]
    return (fmean(old for old, _ in pairs), fmean(new for _, new in pairs)) if pairs else None


def _bests(runs: Mapping[int, list[GradingRun]], compared: Sequence[Comparison]) -> Bests:
    then = {each.submission.pk: each.stays_at for each in compared}
    before: dict[int, float] = {}
    after: dict[int, float] = {}
    for submission, its in runs.items():
        student, counted = its[0].submission.user_id, rules.counted(its)
        for best, run in ((before, counted), (after, then.get(submission, counted))):
            score = trials.score_of(run)
            best[student] = max(best.get(student, 0.0), score.share if score else 0.0)
    changes = [after[student] - before[student] for student in before]
    rise = sum(change > regrade_rules.TOLERANCE for change in changes)
    fall = sum(change < -regrade_rules.TOLERANCE for change in changes)
    return Bests(rise, fall, len(changes) - rise - fall)


def _progress(regrade: Regrade) -> TrialProgress:
    counts: dict[str, int] = regrade.runs.aggregate(
        total=Count("submission", distinct=True),
        waiting=Count("pk", filter=Q(state=RunState.QUEUED)),
        running=Count("pk", filter=Q(state=RunState.RUNNING)),
    )
    return TrialProgress(**counts)


def _visible(user: User, regrade: UUID) -> tuple[Regrade, RegradeFacts]:
    """Two queries."""
    found = (
        Regrade.objects.select_related("klass__course", "version", "asked_by", "closed_by").filter(uuid=regrade).first()
    )
    if found is not None:
        role = catalog.role_of(user, found.klass)
        if role in catalog.STAFF:
            return found, _facts(found, found.klass, role == catalog.Role.INSTRUCTOR)
    raise NotFound("You have no such regrade.")


def _facts(regrade: Regrade, klass: Class, may_decide: bool) -> RegradeFacts:
    return RegradeFacts(
        uuid=regrade.uuid,
        klass=klass,
        lab_slug=regrade.lab_slug,
        lab_title=catalog.lab_title(regrade.version, regrade.lab_slug),
        version=regrade.version.number,
        also_current=regrade.also_current,
        keep_higher=regrade.keep_higher,
        reason=regrade.reason,
        state=RegradeState(regrade.state),
        asked_by=str(regrade.asked_by or ""),
        asked_at=regrade.asked_at,
        closed_by=str(regrade.closed_by or ""),
        closed_at=regrade.closed_at,
        may_decide=may_decide,
    )
