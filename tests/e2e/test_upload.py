"""Handing in a notebook by choosing or dropping it, and what happens when it can't be taken."""

from __future__ import annotations

import re
from typing import Final

import pytest
from django.urls import reverse
from playwright.sync_api import FilePayload, Page, expect

from graders.bundle import LabLimits
from server.domain.labs import queries
from tests import factories
from tests.e2e.conftest import Open
from tests.factories import LAB, Cast

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

NOTEBOOK: Final = FilePayload(name="doubling.ipynb", mimeType="application/json", buffer=factories.notebook())
ZIP: Final = FilePayload(name="work.zip", mimeType="application/zip", buffer=b"PK\x03\x04 and more")
RUN: Final = re.compile(r"/submissions/[0-9a-f-]{36}/$")


def lab_page(open_as: Open, cast: Cast) -> Page:
    page = open_as(cast.sam)
    page.goto(reverse("web:lab", args=[cast.klass.uuid, LAB]))
    return page


def attempts(cast: Cast) -> int:
    return len(queries.my_submissions(cast.sam, cast.klass, LAB))


def test_a_chosen_notebook_is_handed_in(open_as: Open, cast: Cast) -> None:
    page = lab_page(open_as, cast)
    page.get_by_label("Your notebook").set_input_files(NOTEBOOK)
    page.get_by_role("button", name="Hand in").click()
    expect(page).to_have_url(RUN)
    assert attempts(cast) == 1


def test_a_dropped_notebook_is_handed_in(open_as: Open, cast: Cast) -> None:
    page = lab_page(open_as, cast)
    dropped = page.evaluate_handle(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "doubling.ipynb", {type: "application/json"}));
            return data;
        }""",
        factories.notebook().decode(),
    )
    page.dispatch_event("[data-drop]", "drop", {"dataTransfer": dropped})
    page.get_by_role("button", name="Hand in").click()
    expect(page).to_have_url(RUN)


def test_a_double_click_is_one_submission(open_as: Open, cast: Cast) -> None:
    page = lab_page(open_as, cast)
    page.get_by_label("Your notebook").set_input_files(NOTEBOOK)
    page.get_by_role("button", name="Hand in").dblclick()
    expect(page).to_have_url(RUN)
    assert attempts(cast) == 1


def test_after_going_back_another_notebook_is_another_submission(open_as: Open, cast: Cast) -> None:
    page = lab_page(open_as, cast)
    for answers in (factories.RIGHT, factories.EMPTY):
        other = FilePayload(name="a.ipynb", mimeType="application/json", buffer=factories.notebook(answers))
        page.get_by_label("Your notebook").set_input_files(other)
        page.get_by_role("button", name="Hand in").click()
        expect(page).to_have_url(RUN)
        page.go_back()
    assert attempts(cast) == 2


def test_a_refusal_stands_beside_the_field_and_keeps_the_choice(open_as: Open, cast: Cast) -> None:
    page = lab_page(open_as, cast)
    field = page.get_by_label("Your notebook")
    field.set_input_files(ZIP)
    page.get_by_role("button", name="Hand in").click()
    expect(field).to_have_accessible_description(re.compile("^This file is a ZIP archive"))
    expect(field).to_have_attribute("aria-invalid", "true")
    assert field.evaluate("input => input.files[0].name") == "work.zip"
    expect(page.get_by_role("button", name="Hand in")).to_be_enabled()


def test_after_a_refusal_the_right_file_is_taken_from_the_same_page(open_as: Open, cast: Cast) -> None:
    page = lab_page(open_as, cast)
    field = page.get_by_label("Your notebook")
    field.set_input_files(ZIP)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    field.set_input_files(NOTEBOOK)
    expect(page.get_by_role("alert")).to_be_empty()
    page.get_by_role("button", name="Hand in").click()
    expect(page).to_have_url(RUN)


def test_too_large_is_said_before_anything_is_sent(open_as: Open, cast: Cast) -> None:
    klass = factories.klass(factories.publish(limits=LabLimits(notebook_bytes=1024**2)), "Small")
    page = open_as(factories.student_of(klass, "Newcomer"))
    page.goto(reverse("web:lab", args=[klass.uuid, LAB]))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    large = FilePayload(name="large.ipynb", mimeType="application/json", buffer=b" " * (1024**2 + 512 * 1024))
    page.get_by_label("Your notebook").set_input_files(large)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("alert")).to_contain_text("large.ipynb has 1.5 MiB; 1 MiB is allowed.")
    assert "POST" not in sent


def test_a_lost_connection_is_said_and_loses_no_choice(open_as: Open, cast: Cast, complaints: list[str]) -> None:
    page = lab_page(open_as, cast)
    field = page.get_by_label("Your notebook")
    field.set_input_files(NOTEBOOK)
    page.context.set_offline(True)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("The notebook did not arrive"))
    page.context.set_offline(False)
    page.get_by_role("button", name="Hand in").click()
    expect(page).to_have_url(RUN)
    assert attempts(cast) == 1
    assert "htmx:sendError" in "".join(complaints)
    complaints.clear()


def test_without_javascript_it_works_too(open_as: Open, cast: Cast) -> None:
    page = open_as(cast.sam, java_script_enabled=False)
    page.goto(reverse("web:lab", args=[cast.klass.uuid, LAB]))
    page.locator("input[type=file]").set_input_files(ZIP)
    page.get_by_role("button", name="Hand in").click()
    expect(page.locator("#upload-fault")).not_to_be_empty()
    page.locator("input[type=file]").set_input_files(NOTEBOOK)
    page.get_by_role("button", name="Hand in").click()
    expect(page).to_have_url(RUN)
