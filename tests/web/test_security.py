from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories import Cast
from tests.web.visits import browser, hand_in

WEB = Path(__file__).parents[2] / "server" / "web"


@pytest.mark.parametrize("url", ["/", "/sign-in", "/nothing-here"])
def test_every_page_forbids_what_is_inline_or_from_elsewhere(cast: Cast, url: str) -> None:
    policy = browser(None).get(url).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "unsafe" not in policy


def test_platforms_that_may_frame_us_are_a_setting(db: None, settings: Settings) -> None:
    settings.FRAME_ANCESTORS = ["https://canvas.example"]
    policy = Client().get("/sign-in").headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors 'self' https://canvas.example")


@pytest.mark.parametrize("template", sorted(WEB.glob("templates/**/*.html")), ids=lambda path: path.name)
def test_no_template_holds_what_the_policy_forbids(template: Path) -> None:
    source = template.read_text()
    assert not re.search(r"\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\ssrc=)|javascript:|hx-on", source)


def test_no_cache_keeps_what_was_shown_to_a_member(cast: Cast) -> None:
    for page in ("/", reverse("web:handed-in", args=[hand_in(cast).uuid])):
        assert "no-store" in browser(cast.sam).get(page).headers["Cache-Control"]
