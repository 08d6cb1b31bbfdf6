"""What the pages of a regrade show, in the words and numbers that their templates need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from graders.notebook.feedback import number_text, points_text
from server.domain.catalog import queries as catalog
from server.domain.labs import regrade_queries
from server.domain.labs.regrade_queries import ChangeRow, Effect, Preview, TrialProgress
from server.domain.labs.regrade_rules import TOLERANCE, Bar
from server.domain.labs.report_changes import QuestionChange, TestChange
from server.domain.labs.scores import Score

if TYPE_CHECKING:
    from uuid import UUID

    from server.domain.accounts.models import User
    from server.domain.catalog.models import Class

EFFECTS: Final[Mapping[Effect, tuple[str, str]]] = {
    Effect.LOSES: ("loses", "lose"),
    Effect.KEEPS: ("keeps a higher score", "keep a higher score"),
    Effect.FAILED: ("not graded", "not graded"),
    Effect.WAITING: ("being graded", "being graded"),
    Effect.GAINS: ("gains", "gain"),
    Effect.STAYS: ("stays", "stay"),
}
"""Of one notebook, and of several; in the order in which filters stand."""

VERDICTS: Final[Mapping[tuple[bool | None, bool | None], str]] = {
    (True, False): "passed before, fails now",
    (False, True): "failed before, passes now",
    (None, True): "new test, passes",
    (None, False): "new test, fails",
    (True, None): "passed before, is gone now",
    (False, None): "failed before, is gone now",
}
HEADINGS: Final = (
    "Student",
    "Username",
    "Attempt",
    "Handed in",
    "Submission",
    "Starter's version",
    "Effect",
    "Before",
    "Before of",
    "After",
    "After of",
    "Change in % of maximum",
    "What changed",
    "Fault",
)
POLL_MS: Final = 3_000
MINUS: Final = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class RegradesPage:
    klass: Class
    may_decide: bool
    labs: tuple[tuple[str, str], ...]
    regrades: list[regrade_queries.RegradeFacts]

    @classmethod
    def of(cls, user: User, klass: Class) -> RegradesPage:
        return cls(
            klass=klass,
            regrades=regrade_queries.regrades_of(user, klass),
            may_decide=catalog.may_restart_runs(user, klass),
            labs=tuple((lab.slug, lab.title) for lab in catalog.outline_of(klass).labs),
        )


@dataclass(frozen=True)
class AskPage:
    """The form that asks for a regrade, with what was typed into it."""

    klass: Class
    lab_slug: str
    choices: regrade_queries.Choices
    version: int
    reason: str = ""
    keep_higher: bool = True
    also_current: bool = False
    fault: str = ""


@dataclass(frozen=True)
class ProgressPart:
    uuid: UUID
    counts: TrialProgress
    again_ms: int = POLL_MS

    @property
    def percent(self) -> int:
        return round(100 * self.counts.ended / self.counts.total) if self.counts.total else 100


@dataclass(frozen=True)
class BarLine:
    """One bar of the histogram: `width` in percent of the longest."""

    says: str
    count: int
    width: float
    side: str


@dataclass(frozen=True)
class Choice:
    """One filter: its query string, its words, how many it leaves."""

    query: str
    says: str
    count: int
    chosen: bool


@dataclass(frozen=True)
class TestLine:
    name: str
    hidden: bool
    says: str
    message: str


@dataclass(frozen=True)
class QuestionLine:
    title: str
    points: str
    note: str
    tests: tuple[TestLine, ...]


@dataclass(frozen=True)
class Line:
    """One submission of the table. `difference` is in points or, where the maxima differ, in parts of the maximum."""

    row: ChangeRow
    says: str
    before: str
    after: str
    difference: str
    questions: tuple[QuestionLine, ...]


@dataclass(frozen=True)
class RegradePage:
    facts: regrade_queries.RegradeFacts
    shown: Preview
    progress: ProgressPart
    may_decide: bool
    class_version: int
    counts: tuple[tuple[str, int], ...]
    verdict: str
    bars: tuple[BarLine, ...]
    means: tuple[str, str] | None
    choices: tuple[Choice, ...]
    lines: tuple[Line, ...]
    previous: str | None
    following: str | None

    @property
    def must_wait(self) -> bool:
        """A trial is under way, or a run that makes the present score."""
        return self.shown.counts.get(Effect.WAITING, 0) > 0

    @property
    def has_failed(self) -> bool:
        return self.shown.counts.get(Effect.FAILED, 0) > 0

    @classmethod
    def of(cls, user: User, regrade: UUID, *, show: str, page: int) -> RegradePage:
        """A filter that names nothing known is no filter."""
        only = Effect(show) if show in EFFECTS else None
        shown = regrade_queries.preview(user, regrade, only=only, page=page)
        facts = shown.facts

        def neighbor(number: int) -> str | None:
            return _query(only, number) if 1 <= number <= shown.pages else None

        return cls(
            facts=facts,
            shown=shown,
            progress=ProgressPart(facts.uuid, shown.progress),
            may_decide=facts.may_decide and facts.is_open,
            class_version=facts.klass.version.number,
            counts=tuple((many.capitalize(), shown.counts.get(effect, 0)) for effect, (_, many) in EFFECTS.items()),
            verdict=verdict(shown.counts),
            bars=_bars(shown.bars),
            means=(_percent(shown.means[0]), _percent(shown.means[1])) if shown.means else None,
            choices=tuple(_choices(shown, only)),
            lines=tuple(_line(row) for row in shown.rows),
            previous=neighbor(shown.number - 1),
            following=neighbor(shown.number + 1),
        )


def verdict(counts: Mapping[Effect, int]) -> str:
    """For example "12 gain, 3 stay, 1 loses"."""
    order = (Effect.GAINS, Effect.STAYS, Effect.KEEPS, Effect.LOSES, Effect.FAILED)
    words = [f"{count} {EFFECTS[effect][count != 1]}" for effect in order if (count := counts.get(effect, 0))]
    return ", ".join(words) or "nothing"


def difference(old: Score | None, new: Score | None) -> str:
    if new is None:
        return ""
    if old is None:
        return "first score"
    if old.most != new.most:
        return f"{100 * (new.share - old.share):+.1f}%".replace("-", MINUS)
    gained = new.points - old.points
    if abs(gained) <= TOLERANCE:
        return "±0"
    size = number_text(abs(gained))
    return f"{'+' if gained > 0 else MINUS}{size if size != '0' else f'{abs(gained):.1g}'}"


def table(rows: Iterable[ChangeRow]) -> Iterator[list[str | float | None]]:
    """A regrade's rows for a spreadsheet, its heading first."""
    yield list(HEADINGS)
    for row in rows:
        yield [
            row.user_name,
            row.username,
            row.attempt,
            row.received_at.isoformat(timespec="seconds"),
            str(row.submission),
            row.from_version,
            EFFECTS[row.effect][0],
            *_numbers(row.old),
            *_numbers(row.new),
            None if row.gain is None else round(100 * row.gain, 4),
            "; ".join(_told(each) for each in _questions(row)),
            row.fault,
        ]


def _numbers(score: Score | None) -> tuple[float | None, float | None]:
    return (score.points, score.most) if score else (None, None)


def _told(question: QuestionLine) -> str:
    tests = ", ".join(f"{test.name}: {test.says}" for test in question.tests)
    return f"{question.title}: {question.points}" + "".join(f" ({each})" for each in (question.note, tests) if each)


def _query(only: Effect | None, page: int = 1) -> str:
    asked: dict[str, object] = {"show": only.value} if only else {}
    return "?" + urlencode(asked | ({"page": page} if page > 1 else {}))


def _choices(shown: Preview, only: Effect | None) -> Iterator[Choice]:
    yield Choice(_query(None), "All", sum(shown.counts.values()), only is None)
    for effect, (_, many) in EFFECTS.items():
        if count := shown.counts.get(effect, 0):
            yield Choice(_query(effect), many.capitalize(), count, only == effect)


def _bars(bars: tuple[Bar, ...]) -> tuple[BarLine, ...]:
    longest = max((bar.count for bar in bars), default=0) or 1
    return tuple(BarLine(_span(bar), bar.count, round(100 * bar.count / longest, 3), _side(bar)) for bar in bars)


def _span(bar: Bar) -> str:
    if bar.stays:
        return "No change"
    near, far = sorted(abs(edge) for edge in (bar.above or 0.0, bar.upto or 0.0))
    if bar.above is None or bar.upto is None:
        return f"{_sign(bar)} more than {far:.0%}"
    return f"{_sign(bar)} {near:.0%} to {far:.0%}" if near else f"{_sign(bar)} up to {far:.0%}"


def _side(bar: Bar) -> str:
    return "same" if bar.stays else "fell" if bar.upto is not None and bar.upto <= 0 else "got"


def _sign(bar: Bar) -> str:
    return "Lose" if _side(bar) == "fell" else "Gain"


def _line(row: ChangeRow) -> Line:
    return Line(
        row=row,
        says=EFFECTS[row.effect][0],
        before=points_text(row.old.points, row.old.most) if row.old else "no score",
        after=points_text(row.new.points, row.new.most) if row.new else "",
        difference=difference(row.old, row.new),
        questions=_questions(row),
    )


def _questions(row: ChangeRow) -> tuple[QuestionLine, ...]:
    return tuple(_question(each, is_first=row.old is None) for each in row.changed)


def _question(change: QuestionChange, *, is_first: bool) -> QuestionLine:
    (was, now), (was_of, now_of) = change.points, change.most
    if was is None or was_of is None:
        points = f"{number_text(now or 0)} of {number_text(now_of or 0)}"
    elif now is None or now_of is None:
        points = f"{number_text(was)} of {number_text(was_of)} → none"
    elif was_of == now_of:
        points = f"{number_text(was)} → {number_text(now)} of {number_text(now_of)}"
    else:
        points = f"{number_text(was)} of {number_text(was_of)} → {number_text(now)} of {number_text(now_of)}"
    if change.lacking:
        note = "the starter that this notebook came from does not have this question"
    elif was is None and not is_first:
        note = "new question"
    else:
        note = "asked no more" if now is None else ""
    tests = tuple(_test(test, is_first=is_first) for test in change.tests)
    return QuestionLine(change.title or change.name, points, note, tests)


def _test(change: TestChange, *, is_first: bool) -> TestLine:
    was, now = change.points
    if is_first:
        says = "passes" if change.passed[1] else "fails"
    elif change.passed in VERDICTS:
        says = VERDICTS[change.passed]
    else:
        says = f"gives {number_text(was or 0)} → {number_text(now or 0)} points"
    return TestLine(change.name, change.visibility == "hidden", says, change.message)


def _percent(share: float) -> str:
    return f"{share:.1%}"
