from __future__ import annotations

from django.urls import reverse

from tests import factories
from tests.factories import Cast
from tests.web.visits import browser, hand_in, who_gets_what


def test_it_is_for_the_student_and_the_staff(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 404, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:handed-in", hand_in(cast).uuid) == expected


def test_it_gives_back_the_very_bytes_under_the_students_name_for_them(cast: Cast) -> None:
    content = factories.notebook() + b"\n\n"
    response = browser(cast.sam).get(reverse("web:handed-in", args=[hand_in(cast, content=content).uuid]))
    assert response.content == content
    assert response.headers["Content-Disposition"] == 'attachment; filename="doubling.ipynb"'


def test_it_comes_back_as_a_notebook_whatever_it_was_called(cast: Cast) -> None:
    submission = factories.submit(cast.sam, cast.klass, filename="mine.html")
    response = browser(cast.ines).get(reverse("web:handed-in", args=[submission.uuid]))
    assert response.headers["Content-Disposition"] == 'attachment; filename="mine.html.ipynb"'
