from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from server.domain.core import clock
from server.domain.labs import actions
from server.domain.labs.models import GradingRun, RunState
from tests.factories import Cast, claim, submit
from workers.engine import Progress
from workers.runs import Heartbeat

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def claimed(cast: Cast, settings: object) -> Iterator[actions.ClaimedRun]:
    settings.RUN_LEASE_SECONDS = 1  # type: ignore[attr-defined]
    submit(cast.sam, cast.klass)
    yield claim(now=clock.now())
    connection.close()


def eventually(holds: Callable[[], bool], seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


def _run(claimed: actions.ClaimedRun) -> GradingRun:
    return GradingRun.objects.get(uuid=claimed.run)


def test_it_keeps_the_lease(claimed: actions.ClaimedRun) -> None:
    with Heartbeat(claimed):
        long_after = claimed.lease_until + timedelta(seconds=1)
        assert eventually(lambda: (_run(claimed).lease_until or claimed.lease_until) > long_after)


def test_it_shows_the_newest_progress(claimed: actions.ClaimedRun) -> None:
    with Heartbeat(claimed) as heartbeat:
        for cell in range(1, 8):
            heartbeat.show(Progress("cells", cell, 7, "q2"))
        assert eventually(lambda: _run(claimed).cell == 7)
    run = _run(claimed)
    assert (run.phase, run.of, run.question) == ("cells", 7, "q2")


def test_it_learns_that_another_worker_has_the_run(claimed: actions.ClaimedRun) -> None:
    with Heartbeat(claimed) as heartbeat:
        later = clock.now() + timedelta(hours=1)
        actions.reap(now=later)
        claim(now=later, worker="another:1")
        assert eventually(lambda: heartbeat.lost)


def test_it_ends_with_the_block(claimed: actions.ClaimedRun) -> None:
    with Heartbeat(claimed):
        pass
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("heartbeat-")]


def test_it_survives_a_database_that_is_away_for_a_moment(
    claimed: actions.ClaimedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    working, failures = actions.heartbeat, iter([OperationalError("away")])

    def beat(**arguments: object) -> object:
        for failure in failures:
            raise failure
        return working(**arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(actions, "heartbeat", beat)
    with Heartbeat(claimed) as heartbeat:
        assert eventually(lambda: (_run(claimed).lease_until or claimed.lease_until) > claimed.lease_until)
        assert not heartbeat.lost


def test_it_gives_the_run_up_when_the_database_stays_away(
    claimed: actions.ClaimedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def beat(**_: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(actions, "heartbeat", beat)
    with Heartbeat(claimed) as heartbeat:
        assert eventually(lambda: heartbeat.lost)
    assert _run(claimed).state == RunState.RUNNING
