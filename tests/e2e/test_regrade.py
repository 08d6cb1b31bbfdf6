"""A regrade from asking to applying, in a browser; then what the student reads."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from server.domain.core import clock
from server.domain.labs.models import Regrade
from tests import factories, regrading
from tests.e2e.conftest import Open
from tests.e2e.test_keyboard import tab_to
from tests.factories import LAB, Cast
from tests.regrading import REASON

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def changed(cast: Cast) -> Cast:
    """Sam and Cleo have two points of three when the tests change."""
    for student in (cast.sam, cast.cleo):
        regrading.graded(student, cast, 2.0, now=clock.now() - timedelta(days=1))
    regrading.another_version(now=clock.now())
    return cast


def preview_of(open_as: Open, cast: Cast, **options: object) -> Page:
    regrade = regrading.ask(cast, now=clock.now())
    page = open_as(cast.ines, **options)
    page.goto(reverse("web:regrade", args=[regrade.uuid]))
    return page


def grade_trials(*points: float) -> None:
    for each in points:
        factories.grade_one(factories.report(each), now=clock.now())


def test_an_instructor_asks_looks_and_applies_by_keyboard_and_the_student_reads_why(
    open_as: Open, changed: Cast
) -> None:
    page = open_as(changed.ines)
    page.goto(reverse("web:submissions", args=[changed.klass.uuid]))
    tab_to(page, page.get_by_role("link", name=re.compile("Regrades")))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Regrades")).to_be_visible()
    tab_to(page, page.get_by_role("link", name="Doubling"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name=re.compile("Version 2"))).to_be_checked()
    tab_to(page, page.get_by_label("Reason"))
    page.keyboard.type(REASON)
    tab_to(page, page.get_by_role("button", name="Try it"))
    page.keyboard.press("Enter")

    expect(page.get_by_role("region", name="Trials")).to_contain_text("0 of 2 notebooks done")
    grade_trials(3.0, 1.0)
    expect(page.get_by_role("heading", name="Decide")).to_be_visible()
    expect(page.get_by_text("Applying: 1 gains, 1 keeps a higher score.")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Apply"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Applied: 1 new, 1 kept a higher score")).to_be_visible()

    student = open_as(changed.sam)
    student.goto(reverse("web:lab", args=[changed.klass.uuid, LAB]))
    student.get_by_role("link", name="Attempt 1").click()
    expect(student.get_by_text(REASON)).to_be_visible()
    expect(student.get_by_text("Before, it had 2 of 3 points.")).to_be_visible()


def test_the_page_follows_the_trials_to_their_end(open_as: Open, changed: Cast) -> None:
    page = preview_of(open_as, changed)
    expect(page.get_by_role("button", name="Apply")).to_have_count(0)
    grade_trials(3.0)
    expect(page.get_by_role("region", name="Trials")).to_contain_text("1 of 2 notebooks done")
    grade_trials(3.0)
    expect(page.get_by_role("button", name="Apply")).to_be_visible()


def test_without_javascript_it_is_decided_too(open_as: Open, changed: Cast) -> None:
    page = preview_of(open_as, changed, java_script_enabled=False)
    grade_trials(3.0, 1.0)
    page.reload()
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Applied: 1 new, 1 kept a higher score")).to_be_visible()
    assert Regrade.objects.get().state == "applied"


def test_filters_and_reasons_open_by_keyboard(open_as: Open, changed: Cast) -> None:
    page = preview_of(open_as, changed)
    grade_trials(3.0, 1.0)
    page.reload()
    tab_to(page, page.get_by_role("link", name=re.compile("^Gain")))
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr")).to_have_count(1)
    tab_to(page, page.locator("summary"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("failed before, passes now")).to_be_visible()


def test_the_csv_is_downloaded(open_as: Open, changed: Cast) -> None:
    page = preview_of(open_as, changed)
    grade_trials(3.0, 1.0)
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("link", name="All as CSV").click()
    assert re.fullmatch(r"regrade-doubling-\d{4}-\d\d-\d\d\.csv", download.value.suggested_filename)


def test_all_that_failed_is_restarted_in_one_go(open_as: Open, cast: Cast) -> None:
    for student in (cast.sam, cast.cleo):
        factories.submit(student, cast.klass, now=clock.now())
    for _ in range(2):
        factories.fail_one(now=clock.now())
    page = open_as(cast.ines)
    page.goto(reverse("web:submissions", args=[cast.klass.uuid]))
    page.get_by_role("link", name="See which, and why").click()
    page.get_by_role("button", name="Grade all 2 again").click()
    expect(page.get_by_text("2 notebooks restarted.")).to_be_visible()
    expect(page.locator("li .state.queued")).to_have_count(2)


def test_a_long_reason_does_not_break_the_page(open_as: Open, changed: Cast) -> None:
    regrade = regrading.ask(changed, reason="a_long_word" * 40, now=clock.now())
    long_name = replace(factories.report(3.0), notes=())
    factories.grade_one(long_name, now=clock.now())
    page = open_as(changed.ines, viewport={"width": 320, "height": 640})
    page.goto(reverse("web:regrade", args=[regrade.uuid]))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
