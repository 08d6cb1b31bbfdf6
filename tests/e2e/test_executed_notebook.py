"""The frame that holds a student's executed notebook can do nothing, whatever got into it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.conftest import Open
from tests.factories import Cast
from tests.web.visits import rendered

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

HOSTILE = """
<p id="answer">forty-two</p>
<script>document.getElementById("answer").textContent = "owned"; parent.document.title = "owned";</script>
<img src="https://elsewhere.example/pixel.png" onerror="document.title = 'owned'">
<style>#answer { display: none }</style>
<form action="/sign-out" method="post"><button>Go on</button></form>
"""


def test_nothing_in_it_runs_loads_or_hides(open_as: Open, cast: Cast, complaints: list[str]) -> None:
    page = open_as(cast.ines)
    elsewhere: list[str] = []
    page.on("requestfinished", lambda request: elsewhere.append(request.url) if "elsewhere" in request.url else None)
    page.goto(reverse("web:report", args=[rendered(cast, HOSTILE).uuid]))
    frame = page.frame_locator("iframe.executed")
    page.locator("iframe.executed").scroll_into_view_if_needed()
    expect(frame.locator("#answer")).to_have_text("forty-two")
    expect(frame.locator("#answer")).to_be_visible()
    assert elsewhere == []
    assert "owned" not in page.title()
    assert any("script" in each for each in complaints)
    complaints.clear()


def test_it_wears_our_style(open_as: Open, cast: Cast) -> None:
    page = open_as(cast.sam, color_scheme="dark")
    page.goto(reverse("web:report", args=[rendered(cast, "<p>42</p>").uuid]))
    page.locator("iframe.executed").scroll_into_view_if_needed()
    expect(page.frame_locator("iframe.executed").locator("body")).to_have_css("background-color", "rgb(21, 31, 38)")
