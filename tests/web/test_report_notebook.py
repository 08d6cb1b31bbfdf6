from __future__ import annotations

from django.urls import reverse

from tests.factories import Cast
from tests.web.visits import browser, graded, rendered, text_of, who_gets_what


def test_it_is_for_the_student_and_the_staff(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:report-notebook", rendered(cast, "<p>42</p>").uuid) == expected


def test_it_shows_the_rendered_notebook(cast: Cast) -> None:
    url = reverse("web:report-notebook", args=[rendered(cast, "<p>forty-two</p>").uuid])
    assert b"<p>forty-two</p>" in browser(cast.sam).get(url).content


def test_it_is_shut_in_a_sandbox_of_its_own(cast: Cast) -> None:
    url = reverse("web:report-notebook", args=[rendered(cast, "<p>42</p>").uuid])
    policy = browser(cast.sam).get(url).headers["Content-Security-Policy"].split("; ")
    assert policy[:3] == ["sandbox", "default-src 'none'", "img-src data:"]
    assert policy[-1].startswith("style-src 'sha256-")


def test_only_our_own_pages_may_frame_it(cast: Cast) -> None:
    response = browser(cast.sam).get(reverse("web:report-notebook", args=[rendered(cast, "<p>42</p>").uuid]))
    assert response.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in response.headers["Content-Security-Policy"]


def test_it_says_so_while_it_is_not_rendered_yet(cast: Cast) -> None:
    url = reverse("web:report-notebook", args=[graded(cast).uuid])
    assert "not ready to be read here" in text_of(browser(cast.sam).get(url))
