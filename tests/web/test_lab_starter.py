from __future__ import annotations

from django.urls import reverse

from tests import factories
from tests.factories import LAB, LAB_ID, Cast
from tests.web.visits import browser, who_gets_what


def test_it_is_for_members(cast: Cast) -> None:
    expected = {"ines": 200, "tom": 200, "sam": 200, "cleo": 200, "eve": 404, "nobody": 302}
    assert who_gets_what(cast, "web:lab-starter", cast.klass.uuid, LAB) == expected


def test_it_downloads_the_notebook_under_the_labs_name(cast: Cast) -> None:
    response = browser(cast.sam).get(reverse("web:lab-starter", args=[cast.klass.uuid, LAB]))
    assert response.headers["Content-Disposition"] == f'attachment; filename="{LAB}.ipynb"'
    assert response.content == factories.notebook(factories.EMPTY, lab=LAB_ID)


def test_it_stays_with_the_version_that_the_class_uses(cast: Cast) -> None:
    before = browser(cast.sam).get(reverse("web:lab-starter", args=[cast.klass.uuid, LAB])).content
    factories.publish(title="A newer course")
    assert browser(cast.sam).get(reverse("web:lab-starter", args=[cast.klass.uuid, LAB])).content == before
