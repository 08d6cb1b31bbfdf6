"""A real browser on the real server. Chromium is the system's own; where it is missing, the tests say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from server.domain.accounts.models import User

# Playwright's loop runs in this thread, so Django takes our plain queries for a mistake unless it is told otherwise.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


Open = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = os.environ.get("RIDGEPOINT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        # Without a program of the system's, Playwright takes the one that it has installed itself.
        if program is None and not Path(playwright.chromium.executable_path).exists():
            pytest.skip(
                "No Chromium here: install your system's `chromium` package, or name one in RIDGEPOINT_CHROMIUM."
            )
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What pages complained of on the console. Whatever a test does not expect, and take away, fails it."""
    heard: list[str] = []
    yield heard
    assert not [each for each in heard if "Failed to load resource" not in each]


@pytest.fixture
def open_as(chromium: Browser, live_server: LiveServer, complaints: list[str]) -> Iterator[Open]:
    """A tab of that user's own browser, signed in."""
    contexts: list[BrowserContext] = []

    def open_tab(user: User | None, **options: Any) -> Page:
        context = chromium.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            context.add_cookies(
                [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
            )
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_tab
    for context in contexts:
        context.close()
