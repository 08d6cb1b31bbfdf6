"""The trials of a regrade beside what counts now: what its preview shows is what applying it does."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from server.domain.catalog import queries as catalog
from server.domain.labs import regrade_rules, rules
from server.domain.labs.models import GradingRun, Regrade, RegradeState, RunState, Submission
from server.domain.labs.regrade_rules import Effect
from server.domain.labs.scores import Score

UNDER_WAY = (RunState.QUEUED, RunState.RUNNING)


@dataclass(frozen=True)
class Comparison:
    """One submission's newest trial, and the run that counts without it. Neither run has its report's text."""

    submission: Submission
    before: GradingRun | None
    trial: GradingRun
    effect: Effect

    @property
    def old(self) -> Score | None:
        return score_of(self.before)

    @property
    def new(self) -> Score | None:
        return score_of(self.trial)

    @property
    def gain(self) -> float | None:
        return regrade_rules.gain(self.old, self.new) if self.new else None

    @property
    def stays_at(self) -> GradingRun | None:
        """The run that counts once the regrade is applied."""
        return self.trial if self.effect in regrade_rules.TAKEN else self.before


def submissions_of(regrade: Regrade) -> QuerySet[Submission]:
    """All that was handed in for its lab in its class, in the order in which it came."""
    found = Submission.objects.filter(klass_id=regrade.klass_id, lab_slug=regrade.lab_slug)
    return found.order_by("received_at", "pk")


def runs_by_submission(klass_id: int, lab_slug: str) -> dict[int, list[GradingRun]]:
    """All runs of a lab in a class, with their submissions and students, without the reports. One query."""
    runs = (
        GradingRun.objects.filter(submission__klass_id=klass_id, submission__lab_slug=lab_slug)
        .select_related("submission__user")
        .defer("report", "submission__notes")
        .order_by("submission__received_at", "submission", "number")
    )
    found: dict[int, list[GradingRun]] = {}
    for run in runs:
        found.setdefault(run.submission_id, []).append(run)
    return found


def compare(regrade: Regrade, found: dict[int, list[GradingRun]]) -> list[Comparison]:
    """`found` is what `runs_by_submission` gave. Once the regrade was applied: what it changed then."""
    tried = ((runs, [run for run in runs if run.regrade_id == regrade.pk]) for runs in found.values())
    return [_compare(regrade, runs, max(trials, key=lambda run: run.number)) for runs, trials in tried if trials]


def _compare(regrade: Regrade, runs: Sequence[GradingRun], trial: GradingRun) -> Comparison:
    if regrade.state == RegradeState.APPLIED:
        before = next((run for run in runs if run.pk == trial.compared_with_id), None)
        current = before
    else:
        before, current = rules.counted(runs), rules.current(runs)
    if trial.state in UNDER_WAY or (current is not None and current.state in UNDER_WAY):
        effect = Effect.WAITING
    elif (new := score_of(trial)) is None:
        effect = Effect.FAILED
    else:
        effect = regrade_rules.effect(score_of(before), new, keep_higher=regrade.keep_higher)
    return Comparison(trial.submission, before, trial, effect)


def outdated(
    regrade: Regrade, found: dict[int, list[GradingRun]], versions: Mapping[int, catalog.LabVersion]
) -> list[Submission]:
    """What other tests than the regrade's graded, or are about to, and what it has not tried itself yet.

    `versions` are the course's that have the lab, by their keys.
    """
    wanted = versions[regrade.version_id].bundle
    return [
        runs[0].submission
        for runs in found.values()
        if (regrade.also_current or graded_with(runs, versions) != wanted)
        and not any(run.regrade_id == regrade.pk for run in runs)
    ]


def graded_with(runs: Sequence[GradingRun], versions: Mapping[int, catalog.LabVersion]) -> str | None:
    """The digest of the bundle that graded a submission, or is about to, or tried to; None if it is gone."""
    run = rules.counted(runs) or rules.current(runs)
    version = (run and run.version_id) or runs[0].submission.version_id
    return versions[version].bundle if version in versions else None


def fingerprint(comparisons: Iterable[Comparison]) -> str:
    """Changes with everything that applying would do: who has seen one preview has not agreed to another."""
    lines = (
        f"{each.submission.uuid} {each.before.uuid if each.before else None} {each.trial.uuid} {each.effect}"
        for each in comparisons
    )
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def score_of(run: GradingRun | None) -> Score | None:
    if run is None or run.score is None or run.max_score is None or run.state != RunState.DONE:
        return None
    return Score(run.score, run.max_score)
