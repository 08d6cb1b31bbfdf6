"""A run while it is watched: what changes, what is said, and that nothing jumps."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from server.domain.core import clock
from server.domain.labs import actions as labs
from server.domain.labs.actions import ClaimedRun
from tests import factories
from tests.e2e.conftest import Open
from tests.factories import Cast
from tests.web.visits import hand_in

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

REPORT = re.compile(r"/report$")


@dataclass(frozen=True)
class At:
    phase: str
    cell: int
    of: int = 4
    question: str | None = None


def reach(claimed: ClaimedRun, at: At) -> None:
    labs.heartbeat(run=claimed.run, token=claimed.token, progress=at, now=clock.now())


def watched(open_as: Open, cast: Cast, **options: object) -> Page:
    page = open_as(cast.sam, **options)
    page.goto(reverse("web:run", args=[hand_in(cast).uuid]))
    return page


def test_the_page_follows_the_run_to_its_report(open_as: Open, cast: Cast) -> None:
    page = watched(open_as, cast)
    grading = page.get_by_role("region", name="Grading")
    expect(grading).to_contain_text("You are next.")
    claimed = factories.claim(now=clock.now())
    reach(claimed, At("cells", 1))
    expect(grading).to_contain_text("1 of 4")
    reach(claimed, At("tests", 2, question="q1"))
    expect(grading).to_contain_text("Question q1")
    factories.record(claimed, now=clock.now())
    expect(page).to_have_url(REPORT)
    expect(page.get_by_role("heading", name="Questions")).to_be_visible()


def test_nothing_moves_while_it_updates(open_as: Open, cast: Cast) -> None:
    page = open_as(cast.sam, viewport={"width": 320, "height": 640})
    page.add_init_script(
        """self.moved = 0;
        new PerformanceObserver(list => { for (const shift of list.getEntries()) self.moved += shift.value; })
            .observe({type: "layout-shift", buffered: true});"""
    )
    page.goto(reverse("web:run", args=[hand_in(cast).uuid]))
    page.wait_for_load_state("networkidle")
    page.evaluate("self.moved = 0")
    grading = page.get_by_role("region", name="Grading")
    claimed = factories.claim(now=clock.now())
    for at in (At("starting", 0, 0), At("cells", 1), At("tests", 2, question="q1"), At("rendering", 4)):
        reach(claimed, at)
        with page.expect_response(re.compile("/progress")):
            pass
    expect(grading).to_contain_text("Writing the report")
    assert page.evaluate("self.moved") == 0


def test_those_who_listen_hear_each_step_once(open_as: Open, cast: Cast) -> None:
    page = watched(open_as, cast)
    said = page.locator("#run-said")
    expect(said).to_be_empty()
    claimed = factories.claim(now=clock.now())
    reach(claimed, At("cells", 1))
    expect(said).to_have_text("Running your notebook")
    reach(claimed, At("cells", 3))
    expect(page.get_by_role("region", name="Grading")).to_contain_text("3 of 4")
    expect(said).to_have_text("Running your notebook")


def test_a_server_that_is_away_for_a_moment_does_not_end_the_watch(
    open_as: Open, cast: Cast, complaints: list[str]
) -> None:
    page = open_as(cast.sam)
    page.clock.install()
    page.route("**/progress*", lambda route: route.fulfill(status=502))
    with page.expect_response(re.compile("/progress")):
        page.goto(reverse("web:run", args=[hand_in(cast).uuid]))
        page.clock.fast_forward(2_000)
    page.unroute("**/progress*")
    factories.grade_one(now=clock.now())
    page.clock.fast_forward(25_000)
    expect(page).to_have_url(REPORT)
    assert all("502" in each for each in complaints)
    complaints.clear()


def test_without_javascript_the_report_comes_too(open_as: Open, cast: Cast) -> None:
    page = watched(open_as, cast, java_script_enabled=False)
    factories.grade_one(now=clock.now())
    expect(page).to_have_url(REPORT)
