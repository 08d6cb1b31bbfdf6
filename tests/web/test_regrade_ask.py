from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.urls import reverse

from server.domain.labs.models import Regrade
from tests import factories, regrading
from tests.factories import LAB, Cast
from tests.web.visits import browser, text_of, who_gets_what

ASKED = {"version": "2", "reason": "The key was wrong.", "keep_higher": "on"}


@pytest.fixture
def changed(cast: Cast) -> Cast:
    """One notebook was graded before the tests changed."""
    regrading.graded(cast.sam, cast, 2.0)
    regrading.another_version()
    return cast


def url(cast: Cast, lab: str = LAB) -> str:
    return reverse("web:regrade-ask", args=[cast.klass.uuid, lab])


def post(cast: Cast, **changes: str) -> HttpResponse:
    data: dict[str, Any] = {**ASKED, **changes}
    return browser(cast.ines).post(url(cast), {key: value for key, value in data.items() if value})  # type: ignore[return-value]


@pytest.mark.parametrize("method", ["get", "post"])
def test_it_is_for_instructors(changed: Cast, method: str) -> None:
    statuses = who_gets_what(changed, "web:regrade-ask", changed.klass.uuid, LAB, method=method)
    ines = {"get": 200, "post": 422}[method]
    assert statuses == {"ines": ines, "tom": 403, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}


def test_it_says_how_many_notebooks_each_version_would_change(changed: Cast) -> None:
    body = text_of(browser(changed.ines).get(url(changed)))
    assert "Other tests graded 1 of 1 notebook." in body
    assert "Version 1, which the class follows" in body
    assert "Other tests graded 0 of 1 notebook." in body


def test_the_newest_version_and_the_higher_score_are_proposed(changed: Cast) -> None:
    body = browser(changed.ines).get(url(changed)).content.decode()
    assert 'value="2" checked' in body
    assert 'name="keep_higher" checked' in body


def test_it_leads_to_the_preview(changed: Cast) -> None:
    response = post(changed)
    regrade = Regrade.objects.get()
    assert response.headers["Location"] == reverse("web:regrade", args=[regrade.uuid])
    assert (regrade.version.number, regrade.keep_higher, regrade.reason) == (2, True, "The key was wrong.")


def test_what_is_not_ticked_is_off(changed: Cast) -> None:
    post(changed, keep_higher="")
    assert not Regrade.objects.get().keep_higher


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"reason": ""}, "Say why the lab is graded again"),
        ({"reason": "x" * 501}, "The reason has 501 characters"),
        ({"version": ""}, "Choose the version whose tests grade."),
        ({"version": "two"}, "Choose the version whose tests grade."),
        ({"version": "1"}, "nothing would change"),
    ],
)
def test_a_fault_is_said_and_nothing_is_tried(changed: Cast, changes: dict[str, str], sentence: str) -> None:
    response = post(changed, **changes)
    assert response.status_code == 422
    assert sentence in text_of(response)
    assert not Regrade.objects.exists()


def test_what_was_typed_comes_back_with_the_fault(changed: Cast) -> None:
    body = post(changed, version="1", keep_higher="", reason="<b>Mine</b>").content.decode()
    assert "&lt;b&gt;Mine&lt;/b&gt;</textarea>" in body
    assert 'value="1" checked' in body
    assert 'name="keep_higher" checked' not in body


@pytest.mark.parametrize("version", ["99", "-1", "9" * 30])
def test_a_version_that_is_not_there_is_not_found(changed: Cast, version: str) -> None:
    assert post(changed, version=version).status_code == 404


def test_a_second_one_is_refused_while_the_first_is_open(changed: Cast) -> None:
    post(changed)
    assert "A regrade of this lab is open already" in text_of(post(changed))


def test_an_unknown_lab_is_not_found(cast: Cast) -> None:
    assert browser(cast.ines).get(url(cast, "tripling")).status_code == 404


def test_a_lab_without_submissions_says_so(cast: Cast) -> None:
    factories.publish(summary="Changed.")
    assert "Other tests graded 0 of 0 notebooks." in text_of(browser(cast.ines).get(url(cast)))
