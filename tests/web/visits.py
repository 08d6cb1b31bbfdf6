"""Going to pages as one of the cast."""

from __future__ import annotations

import html
import re
from typing import Protocol

from django.test import Client
from django.urls import reverse

from graders.report import Report
from server.domain.accounts.models import User
from server.domain.core import blobs, clock
from server.domain.labs import actions as labs
from server.domain.labs.models import Submission
from tests import factories
from tests.factories import Cast


class Page(Protocol):
    @property
    def content(self) -> bytes: ...


def browser(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def who_gets_what(cast: Cast, name: str, *args: object, method: str = "get") -> dict[str, int]:
    """The status that each of the cast, and somebody not signed in, gets from that URL."""
    url = reverse(name, args=args)
    people = {"ines": cast.ines, "tom": cast.tom, "sam": cast.sam, "cleo": cast.cleo, "eve": cast.eve, "nobody": None}
    return {who: getattr(browser(user), method)(url).status_code for who, user in people.items()}


def text_of(response: Page) -> str:
    """What a reader sees: the page's text, on one line."""
    body = re.sub(r"<(head|script|noscript)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def hand_in(cast: Cast, **changes: object) -> Submission:
    """Sam hands in a notebook, now."""
    return factories.submit(cast.sam, cast.klass, **{"now": clock.now(), **changes})  # type: ignore[arg-type]


def graded(cast: Cast, points: float = 3.0) -> Submission:
    submission = hand_in(cast)
    factories.grade_one(factories.report(points), now=clock.now())
    return submission


def rendered(cast: Cast, html_text: str, report: Report | None = None) -> Submission:
    """A graded submission whose executed notebook has been rendered as that HTML."""
    submission = hand_in(cast)
    factories.grade_one(report, now=clock.now())
    rendering = labs.claim_rendering(now=clock.now())
    assert rendering is not None
    labs.record_rendering(run=rendering.run, html_sha=blobs.put(html_text.encode()), now=clock.now())
    return submission
