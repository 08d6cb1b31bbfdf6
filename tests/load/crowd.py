"""Many classes, students and waiting runs at once: the one exception to test data through actions.

Users, memberships and submissions are inserted in bulk; the runs come into the queue by its own `add_all`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from server.domain.accounts.models import User
from server.domain.catalog.models import Class, CourseVersion, Membership, Role
from server.domain.core import blobs
from server.domain.labs import queue
from server.domain.labs.models import GradingRun, RunKind, Submission
from tests import factories

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Crowd:
    """A class, and students of it with nothing handed in yet."""

    klass: Class
    students: Sequence[User]


def crowd(version: CourseVersion, students: int, *, now: datetime = factories.NOW) -> Crowd:
    number = next(_numbers)
    klass = factories.klass(version, f"Crowd {number}", now=now)
    users = [User(username=f"crowd{number}-{each}", name=f"Student {each}", password="!") for each in range(students)]
    made = User.objects.bulk_create(users, batch_size=1000)
    Membership.objects.bulk_create(
        [Membership(user=user, klass=klass, role=Role.STUDENT) for user in made], batch_size=1000
    )
    return Crowd(klass, made)


def hand_in_all(
    crowd: Crowd,
    *,
    each: int = 1,
    labs: Sequence[str] = (factories.LAB,),
    kind: RunKind = RunKind.INTERACTIVE,
    now: datetime = factories.NOW,
) -> list[GradingRun]:
    """Every student hands in `each` notebooks, the labs by turns; all the first ones stand before all the second."""
    content = factories.notebook()
    sha = blobs.put(content)
    submissions = [
        Submission(
            klass=crowd.klass,
            version=crowd.klass.version,
            lab_slug=labs[(attempt + place) % len(labs)],
            user=student,
            attempt=attempt + 1,
            filename="crowd.ipynb",
            raw_sha=sha,
            notebook_sha=sha,
            received_at=now,
            idempotency_key=f"crowd-{next(_numbers)}",
        )
        for attempt in range(each)
        for place, student in enumerate(crowd.students)
    ]
    with transaction.atomic():
        made = Submission.objects.bulk_create(submissions, batch_size=1000)
        runs = [GradingRun(submission=submission, number=1) for submission in made]
        queue.add_all(runs, queue.lane_of(crowd.klass.pk, kind), now)
    return runs
