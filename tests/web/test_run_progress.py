from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import uuid4

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from server.domain.core import clock
from server.domain.labs import actions as labs
from server.domain.labs.queries import RunKind, RunState, RunStatus
from server.web.learner.contexts import Progress
from tests import factories
from tests.factories import Cast
from tests.web.visits import browser, graded, hand_in, text_of, who_gets_what

WAITING = RunStatus(
    state=RunState.QUEUED,
    kind=RunKind.INTERACTIVE,
    place=3,
    expected_wait_s=40.0,
    phase="",
    cell=0,
    of=0,
    question="",
    elapsed_s=None,
    waited_s=4.0,
    tries=0,
    fault="",
)
RUNNING = replace(
    WAITING, state=RunState.RUNNING, place=None, expected_wait_s=None, phase="cells", cell=5, of=10, elapsed_s=6.0
)


@dataclass(frozen=True)
class At:
    phase: str
    cell: int
    of: int
    question: str | None = None


def progress(status: RunStatus, said: str = "") -> Progress:
    return Progress.of_run(uuid4(), status, said=said)


def test_it_is_for_the_student_and_the_staff(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:run-progress", hand_in(cast).uuid) == expected


def test_it_tells_which_cell_of_how_many(cast: Cast) -> None:
    submission = hand_in(cast)
    claimed = factories.claim(now=clock.now())
    labs.heartbeat(run=claimed.run, token=claimed.token, progress=At("tests", 2, 4, "q1"), now=clock.now())
    body = text_of(browser(cast.sam).get(reverse("web:run-progress", args=[submission.uuid])))
    assert "Testing your answers Question q1" in body
    assert "Code cell 2 of 4" in body


def test_it_asks_again_while_the_run_goes_on(cast: Cast) -> None:
    url = reverse("web:run-progress", args=[hand_in(cast).uuid])
    response = browser(cast.sam).get(url)
    assert response.status_code == 200
    assert f'hx-get="{url}?said=queued" hx-trigger="load delay:1500ms' in response.content.decode()


def test_it_stops_asking_and_leads_to_the_report_at_the_end(cast: Cast) -> None:
    submission = graded(cast)
    response = browser(cast.sam).get(reverse("web:run-progress", args=[submission.uuid]))
    assert response.status_code == 286
    assert response.headers["HX-Redirect"] == reverse("web:report", args=[submission.uuid])
    assert b"hx-get" not in response.content


def test_it_stops_asking_when_we_failed(cast: Cast) -> None:
    submission = hand_in(cast)
    factories.fail_one(now=clock.now())
    response = browser(cast.sam).get(reverse("web:run-progress", args=[submission.uuid]))
    assert response.status_code == 286
    assert b"hx-get" not in response.content


def test_it_needs_few_queries(cast: Cast, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    url, sam = reverse("web:run-progress", args=[hand_in(cast).uuid]), browser(cast.sam)
    with django_assert_max_num_queries(8):  # session, user, and six of the status
        sam.get(url)


def test_when_the_session_has_ended_the_page_is_loaded_anew(cast: Cast) -> None:
    url = reverse("web:run-progress", args=[hand_in(cast).uuid])
    response = browser(None).get(url, headers={"HX-Request": "true"})
    assert response.headers["HX-Refresh"] == "true"


def test_it_speaks_to_listeners_only_when_the_step_changes() -> None:
    assert not progress(RUNNING).announce
    assert not progress(RUNNING, said="running").announce
    assert progress(RUNNING, said="queued").announce


def test_it_backs_off_while_a_run_takes_long() -> None:
    delays = [progress(replace(WAITING, waited_s=waited)).again_ms for waited in (0.0, 31.0, 121.0, 4_000.0)]
    assert delays == [1_500, 3_000, 6_000, 6_000]


def test_it_tells_how_many_are_ahead_and_how_long_that_takes() -> None:
    assert progress(WAITING).detail == "2 notebooks before yours. Grading should start in about 40 s."
    assert progress(replace(WAITING, place=1, expected_wait_s=None)).detail == "You are next."
    assert progress(replace(WAITING, place=2, expected_wait_s=180.0)).detail == (
        "1 notebook before yours. Grading should start in about 3 min."
    )


def test_a_second_try_is_explained() -> None:
    assert "It tries again by itself" in progress(replace(WAITING, tries=1)).detail


def test_elapsed_counts_the_wait_too_so_it_never_falls() -> None:
    assert progress(WAITING).elapsed_s == 4.0
    assert progress(RUNNING).elapsed_s == 10.0


@pytest.mark.parametrize(
    ("status", "percent"),
    [
        (WAITING, 0),
        (replace(RUNNING, phase="starting", cell=0, of=0), 3),
        (RUNNING, 48),
        (replace(RUNNING, phase="tests", cell=10), 93),
        (replace(RUNNING, phase="rendering", cell=10), 97),
        (replace(RUNNING, state=RunState.DONE), 100),
    ],
)
def test_the_line_climbs_with_the_cells(status: RunStatus, percent: int) -> None:
    assert progress(status).percent == percent
