from __future__ import annotations

from django.urls import reverse

from server.domain.core import clock
from server.domain.labs import queries
from tests import factories
from tests.factories import LAB, Cast
from tests.web.visits import browser, text_of, who_gets_what


def two_failed(cast: Cast) -> None:
    for student in (cast.sam, cast.cleo):
        factories.submit(student, cast.klass, now=clock.now())
    for _ in range(2):
        factories.fail_one(now=clock.now())


def restart(cast: Cast, lab: str = "") -> str:
    url = reverse("web:restart-all", args=[cast.klass.uuid])
    return text_of(browser(cast.ines).post(url, {"lab": lab}, follow=True))


def test_it_is_for_instructors(cast: Cast) -> None:
    two_failed(cast)
    statuses = who_gets_what(cast, "web:restart-all", cast.klass.uuid, method="post")
    assert statuses == {"ines": 302, "tom": 403, "sam": 404, "cleo": 404, "eve": 404, "nobody": 302}


def test_it_restarts_all_and_shows_them_waiting(cast: Cast) -> None:
    two_failed(cast)
    body = restart(cast)
    assert "2 notebooks restarted." in body
    assert queries.failed_in(cast.ines, cast.klass) == 0


def test_it_keeps_to_the_lab_that_was_filtered(cast: Cast) -> None:
    two_failed(cast)
    assert "nothing to restart" in restart(cast, "tripling")
    assert "2 notebooks restarted." in restart(cast, LAB)


def test_a_lab_that_no_database_can_be_asked_for_is_none_of_them(cast: Cast) -> None:
    two_failed(cast)
    assert "nothing to restart" in restart(cast, "tripling\0")


def test_nothing_is_restarted_by_looking(cast: Cast) -> None:
    two_failed(cast)
    response = browser(cast.ines).get(reverse("web:restart-all", args=[cast.klass.uuid]))
    assert response.headers["Location"].startswith(reverse("web:submissions", args=[cast.klass.uuid]))
    assert queries.failed_in(cast.ines, cast.klass) == 2
