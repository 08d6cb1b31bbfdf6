"""From signing in to reading the report without touching a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from server.domain.core import clock
from tests import factories
from tests.e2e.conftest import Open
from tests.factories import PASSWORD, Cast

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus, and see to it that the focus can be seen."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            outline = target.evaluate("element => getComputedStyle(element).outlineStyle")
            assert outline != "none", "The focus can't be seen."
            return
    raise AssertionError(f"Tab never reaches {target}.")


def test_a_notebook_is_handed_in_and_its_report_read(open_as: Open, cast: Cast) -> None:
    page = open_as(None)
    # From here on the browser hands choosers over; asked for only when the key is pressed, it may be a moment late.
    page.on("filechooser", lambda chooser: None)
    page.goto("/")
    tab_to(page, page.get_by_label("Username"))
    page.keyboard.type("sam")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Your classes")).to_be_visible()
    tab_to(page, page.get_by_role("link", name="Autumn"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A little course")).to_be_visible()
    tab_to(page, page.get_by_role("link", name="Doubling"))
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Hand it in")).to_be_visible()
    tab_to(page, page.get_by_label("Your notebook"))
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(FilePayload(name="a.ipynb", mimeType="application/json", buffer=factories.notebook()))
    tab_to(page, page.get_by_role("button", name="Hand in"))
    page.keyboard.press("Enter")

    expect(page.get_by_role("region", name="Grading")).to_be_visible()
    factories.grade_one(factories.report(1.0), now=clock.now())
    expect(page.get_by_role("heading", name="Questions")).to_be_visible()
    question = page.locator("summary", has_text="Double a number")
    tab_to(page, question)
    expect(page.get_by_text("test_three")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("test_three")).to_be_hidden()


def test_the_first_tab_offers_to_skip_to_the_content(open_as: Open, cast: Cast) -> None:
    page = open_as(cast.sam)
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
