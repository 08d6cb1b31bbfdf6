"""What must hold after the storm. Each check returns the sentences of what does not."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from server.domain.core import blobs
from server.domain.core.models import AuditEvent
from server.domain.labs import queries
from server.domain.labs.models import GradingRun, RunState, Submission
from tests.chaos import processes
from tests.chaos.clients import Order
from tests.chaos.lab import School, comparable

ENDS: Final = {"labs.run-graded", "labs.run-set-back", "labs.run-released", "labs.run-failed"}


def told_and_kept(orders: Sequence[Order]) -> Iterator[str]:
    """Every client was answered, with a submission that exists; and there is none that nobody handed in."""
    told = Counter(order.told for order in orders)
    for order in orders:
        if order.told is None:
            yield f"Notebook {order.number} was never taken: {order.troubles[-1:]}."
    yield from (f"Submission {uuid} answers {count} notebooks." for uuid, count in told.items() if uuid and count > 1)
    kept = set(Submission.objects.values_list("uuid", flat=True))
    yield from (f"Submission {uuid} was promised and is gone." for uuid in told if uuid and uuid not in kept)
    yield from (f"Submission {uuid} is nobody's." for uuid in kept if uuid not in told)


def attempts_hold() -> Iterator[str]:
    """No attempt was lost and none used twice: each student's are 1, 2, 3, ... without a gap."""
    attempts: dict[int, list[int]] = defaultdict(list)
    for user, attempt in Submission.objects.order_by("attempt").values_list("user", "attempt"):
        attempts[user].append(attempt)
    for user, numbers in attempts.items():
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"The attempts of user {user} are {numbers}."


def one_report_each() -> Iterator[str]:
    """Exactly one run of each submission is done, and it is the newest; none lingers."""
    for submission in Submission.objects.prefetch_related("runs"):
        runs = sorted(submission.runs.all(), key=lambda run: run.number)
        done = [run for run in runs if run.state == RunState.DONE]
        if len(done) != 1 or runs[-1].state != RunState.DONE:
            yield f"Submission {submission.uuid} has runs in {[run.state for run in runs]}."
    for run in GradingRun.objects.filter(state__in=(RunState.QUEUED, RunState.RUNNING)):
        yield f"Run {run.uuid} is still {run.state}: {run.fault}"


def reports_are_right(orders: Sequence[Order], undisturbed: Mapping[str, Any]) -> Iterator[str]:
    """Each report and executed notebook is the one that the same notebook got in calm weather."""
    kinds = {order.told: order.kind for order in orders if order.told}
    for run in GradingRun.objects.filter(state=RunState.DONE).select_related("submission"):
        kind = kinds.get(run.submission.uuid)
        if kind is None or run.report is None:
            continue
        try:
            found = comparable(run.report, run.executed_sha)
        except blobs.BlobLost as lost:
            yield f"Run {run.uuid}: {lost}"
            continue
        if found != undisturbed[kind]:
            changed = [key for key, value in found.items() if value != undisturbed[kind][key]]
            saw = json.dumps({key: found[key] for key in changed})[:1500]
            yield f"Run {run.uuid} of a {kind} notebook has another {', '.join(changed)}: {saw}"


def pages_are_there() -> Iterator[str]:
    for run in GradingRun.objects.filter(state=RunState.DONE):
        if not run.html_sha:
            yield f"Run {run.uuid} has no page after {run.rendering_tries} tries."
            continue
        try:
            blobs.get(run.html_sha)
        except blobs.BlobLost as lost:
            yield f"Run {run.uuid}: {lost}"


def tokens_hold() -> Iterator[str]:
    """The audit trail tells of each run: claimed under the next token, ended under that same one, graded once."""
    events: dict[UUID, list[tuple[str, int]]] = defaultdict(list)
    for event in AuditEvent.objects.filter(target_type="labs.gradingrun").order_by("pk"):
        if event.verb == "labs.run-claimed" or event.verb in ENDS:
            events[event.target_id].append((event.verb, event.data["token"]))
    states = dict(GradingRun.objects.values_list("uuid", "state"))
    for run, told in events.items():
        expected = [
            (verb, number // 2 + 1) if number % 2 else ("labs.run-claimed", number // 2 + 1)
            for number, (verb, _) in enumerate(told)
        ]
        ends = [verb for verb, _ in told[1::2]]
        if told != expected or not ENDS.issuperset(ends):
            yield f"Run {run} has a history that no order explains: {told}."
        graded = ends.count("labs.run-graded")
        if graded != (states[run] == RunState.DONE) or (graded and ends[-1] != "labs.run-graded"):
            yield f"Run {run} is {states[run]}, and was graded {graded} times: {told}."


def failed_runs(school: School) -> tuple[list[UUID], list[str]]:
    """Submissions whose newest run failed, as the class's instructor finds them; and those that she does not find."""
    seen: list[UUID] = []
    page = pages = 1
    while page <= pages:
        found = queries.class_submissions(school.ines, school.klass, state=RunState.FAILED, page=page)
        pages, page = found.pages, page + 1
        seen += [row.uuid for row in found.rows]
    newest = dict(GradingRun.objects.order_by("number").values_list("submission__uuid", "state"))
    hidden = [uuid for uuid, state in newest.items() if state == RunState.FAILED and uuid not in seen]
    return seen, [f"The instructor does not see that submission {uuid} failed." for uuid in hidden]


def nothing_runs(before: set[int]) -> Iterator[str]:
    """`before` are the processes that were there before the installation, and may have children: a database server."""
    theirs = {child for pid in before for child in (pid, *processes.descendants(pid))}
    for pid in processes.descendants():
        if pid in theirs:
            continue
        yield f"Process {pid} was left: {' '.join(processes.command(pid))[:200]}"


def nothing_is_left(data: Path, temporary: Path, workers: set[str]) -> Iterator[str]:
    """No control group of a worker's, no mount, no half-written file. `workers` are their names: host:pid."""
    owners = {name.rpartition(":")[2] for name in workers}
    for group in Path("/sys/fs/cgroup").rglob("ridgepoint-*-*-*-*"):
        if group.name.split("-")[2] in owners:
            yield f"The control group {group} was left."
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        point = Path(line.split()[4])
        if point.is_relative_to(data) and point != data:
            yield f"The mount {point} was left."
    # Celery's billiard makes an empty folder for each worker, which only an orderly end removes.
    temporaries = [path for path in temporary.rglob("*") if not path.is_dir()]
    for file in (*half_written(data), *temporaries):
        yield f"The file {file} was left."


def half_written(data: Path) -> list[Path]:
    return [path for part in ("blobs", "cache") for path in (data / part).rglob(".new-*")]


def workers_seen() -> set[str]:
    claims = AuditEvent.objects.filter(verb="labs.run-claimed").values_list("data", flat=True)
    return {data["worker"] for data in claims}
