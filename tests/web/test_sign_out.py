from __future__ import annotations

from tests.factories import Cast
from tests.web.visits import browser


def test_it_ends_the_session(cast: Cast) -> None:
    sam = browser(cast.sam)
    assert sam.post("/sign-out").headers["Location"] == "/sign-in"
    assert sam.get("/").status_code == 302


def test_it_does_nothing_on_a_mere_visit(cast: Cast) -> None:
    sam = browser(cast.sam)
    assert sam.get("/sign-out").status_code == 405
    assert sam.get("/").status_code == 200
