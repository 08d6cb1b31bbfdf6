from __future__ import annotations

from django.urls import reverse

from tests import factories
from tests.factories import Cast
from tests.web.visits import browser, graded, hand_in, who_gets_what


def test_it_is_for_the_student_and_the_staff(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:executed", graded(cast).uuid) == expected


def test_it_downloads_the_notebook_with_its_outputs(cast: Cast) -> None:
    response = browser(cast.sam).get(reverse("web:executed", args=[graded(cast).uuid]))
    assert response.content == factories.notebook()
    assert response.headers["Content-Disposition"] == 'attachment; filename="executed-doubling.ipynb"'


def test_before_it_was_executed_it_leads_to_the_run(cast: Cast) -> None:
    submission = hand_in(cast)
    response = browser(cast.sam).get(reverse("web:executed", args=[submission.uuid]))
    assert response.headers["Location"] == reverse("web:run", args=[submission.uuid])
