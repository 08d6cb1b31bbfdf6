from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from server.domain.labs import queue
from server.domain.labs.models import RunState
from tests.factories import NOW


@pytest.mark.django_db
def test_the_migrations_make_what_the_models_say() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_waited_before_there_were_lanes_waits_in_its_order() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate([("labs", "0002_regrades")])
    executor.loader.build_graph()
    apps = executor.loader.project_state([("labs", "0002_regrades")]).apps
    course = apps.get_model("catalog", "Course").objects.create(slug="little", title="Little")
    version = apps.get_model("catalog", "CourseVersion").objects.create(
        course=course, number=1, digest="0" * 64, manifest={}, published_at=NOW
    )
    klass = apps.get_model("catalog", "Class").objects.create(
        course=course, version=version, title="Autumn", starts_on=NOW.date()
    )
    sam, cleo = (apps.get_model("accounts", "User").objects.create(username=name) for name in ("sam", "cleo"))
    waiting = [(sam, "done", 0), (sam, "queued", 1), (sam, "queued", 3), (cleo, "queued", 2)]
    for attempt, (student, state, minute) in enumerate(waiting, 1):
        submission = apps.get_model("labs", "Submission").objects.create(
            klass=klass,
            version=version,
            lab_slug="doubling",
            user=student,
            attempt=attempt,
            received_at=NOW,
            idempotency_key=str(attempt),
        )
        at = NOW + timedelta(minutes=minute)
        graded = {"report": "{}", "score": 1.0, "max_score": 1.0, "finished_at": at} if state == "done" else {}
        apps.get_model("labs", "GradingRun").objects.create(
            submission=submission, number=1, state=state, queued_at=at, turn_at=at, not_before=at, **graded
        )

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    order = []
    while (head := queue.head(NOW + timedelta(hours=1))) is not None:
        with transaction.atomic():
            run = queue.take(head, NOW + timedelta(hours=1))
            assert run is not None
            run.state = RunState.FAILED
            run.save()
        order.append(run.submission.user.username)
    assert order == ["sam", "cleo", "sam"]
    assert queue.repair() == 0
