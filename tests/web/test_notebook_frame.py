from __future__ import annotations

from django.urls import reverse

from server.web.learner.contexts import NotebookFrame
from tests.factories import Cast
from tests.web.visits import browser, graded, rendered, who_gets_what


def test_it_is_for_the_student_and_the_staff(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:notebook-frame", graded(cast).uuid) == expected


def test_it_asks_again_more_and_more_slowly_until_the_copy_is_there(cast: Cast) -> None:
    url = reverse("web:notebook-frame", args=[graded(cast).uuid])
    body = browser(cast.sam).get(url + "?asked=0").content.decode()
    assert f'hx-get="{url}?asked=1" hx-trigger="load delay:3000ms"' in body


def test_it_holds_the_copy_once_that_is_there(cast: Cast) -> None:
    submission = rendered(cast, "<p>42</p>")
    body = browser(cast.sam).get(reverse("web:notebook-frame", args=[submission.uuid]) + "?asked=3").content.decode()
    assert f'src="{reverse("web:report-notebook", args=[submission.uuid])}" sandbox' in body
    assert "hx-get" not in body


def test_it_gives_up_asking_in_the_end(cast: Cast) -> None:
    url = reverse("web:notebook-frame", args=[graded(cast).uuid])
    assert b"hx-get" not in browser(cast.sam).get(url + "?asked=99").content
    assert b"hx-get" not in browser(cast.sam).get(url + "?asked=odd").content


def test_it_asks_at_most_every_24_seconds(cast: Cast) -> None:
    frame = NotebookFrame(cast.klass.uuid, ready=False, asked=11)
    assert (frame.asks_again, frame.again_ms) == (True, 24_000)
