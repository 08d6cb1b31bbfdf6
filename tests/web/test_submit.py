from __future__ import annotations

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from graders.bundle import LabLimits
from server.domain.accounts.models import User
from server.domain.labs import queries
from tests import factories
from tests.factories import LAB, Cast
from tests.web.visits import browser, text_of, who_gets_what

HTMX = {"HX-Request": "true"}


def post(
    client: Client, cast: Cast, content: bytes | None = None, *, name: str = "doubling.ipynb", **changes: Any
) -> Any:
    file = SimpleUploadedFile(name, factories.notebook() if content is None else content)
    form = {"notebook": file, "form_key": changes.pop("form_key", uuid4())}
    return client.post(reverse("web:submit", args=[cast.klass.uuid, LAB]), form, **changes)


def attempts(cast: Cast, user: User) -> int:
    return len(queries.my_submissions(user, cast.klass, LAB))


def test_it_takes_nothing_from_outsiders(cast: Cast) -> None:
    statuses = who_gets_what(cast, "web:submit", cast.klass.uuid, LAB, method="post")
    assert (statuses["eve"], statuses["nobody"]) == (404, 302)


def test_who_comes_back_from_signing_in_finds_the_lab(cast: Cast) -> None:
    response = browser(cast.sam).get(reverse("web:submit", args=[cast.klass.uuid, LAB]))
    assert response.headers["Location"] == reverse("web:lab", args=[cast.klass.uuid, LAB])


def test_it_leads_to_the_run(cast: Cast) -> None:
    response = post(browser(cast.sam), cast)
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    assert response.headers["Location"] == reverse("web:run", args=[row.uuid])


def test_it_leads_htmx_to_the_run(cast: Cast) -> None:
    response = post(browser(cast.sam), cast, headers=HTMX)
    [row] = queries.my_submissions(cast.sam, cast.klass, LAB)
    assert response.headers["HX-Redirect"] == reverse("web:run", args=[row.uuid])


def test_two_clicks_are_one_submission(cast: Cast) -> None:
    sam, key = browser(cast.sam), uuid4()
    first, second = post(sam, cast, form_key=key), post(sam, cast, form_key=key)
    assert first.headers["Location"] == second.headers["Location"]
    assert attempts(cast, cast.sam) == 1


def test_another_file_from_the_same_form_is_another_submission(cast: Cast) -> None:
    sam, key = browser(cast.sam), uuid4()
    post(sam, cast, form_key=key)
    post(sam, cast, factories.notebook({"q1": "def double(x):\n    return x + x"}), form_key=key)
    assert attempts(cast, cast.sam) == 2


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"PK\x03\x04 and more", "work.zip"),
        (b"print('hello')\n", "work.py"),
        (b"", "empty.ipynb"),
        (b"{", "broken.ipynb"),
        (factories.notebook(lab="little/other"), "other.ipynb"),
    ],
)
def test_what_can_not_be_graded_gets_a_sentence_and_costs_nothing(cast: Cast, content: bytes, name: str) -> None:
    response = post(browser(cast.sam), cast, content, name=name, headers=HTMX)
    assert response.status_code == 422
    assert response.content.decode().endswith(".")
    assert attempts(cast, cast.sam) == 0


def test_without_htmx_the_page_comes_back_with_the_sentence(cast: Cast) -> None:
    response = post(browser(cast.sam), cast, b"", name="empty.ipynb")
    assert response.status_code == 422
    assert response.context["page"].fault in text_of(response)
    assert response.context["page"].fault


def test_a_refused_form_can_be_sent_again_with_the_right_file(cast: Cast) -> None:
    sam, key = browser(cast.sam), uuid4()
    post(sam, cast, b"{", form_key=key)
    assert post(sam, cast, form_key=key).status_code == 302


def test_it_asks_for_a_file_when_none_was_chosen(cast: Cast) -> None:
    url = reverse("web:submit", args=[cast.klass.uuid, LAB])
    response = browser(cast.sam).post(url, {"form_key": uuid4()}, headers=HTMX)
    assert (response.status_code, response.content) == (422, b"Choose a notebook first.")


def too_large(cast: Cast) -> Any:
    """What a student gets whose file is far above a lab's limit."""
    klass = factories.klass(factories.publish(limits=LabLimits(notebook_bytes=1024**2)), "Small")
    form = {"notebook": SimpleUploadedFile("a.ipynb", b" " * 2 * 1024**2), "form_key": uuid4()}
    url = reverse("web:submit", args=[klass.uuid, LAB])
    return browser(factories.student_of(klass, "Newcomer")).post(url, form, headers=HTMX)


def test_too_large_is_refused_before_it_is_kept(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.learner.views._take", lambda *_args: pytest.fail("The body was parsed."))
    response = too_large(cast)
    assert response.status_code == 413
    assert response.content.decode().startswith("The file is larger than the 1 MiB that this lab takes")


def test_too_large_is_heard_out_so_that_a_browser_reads_the_answer(cast: Cast) -> None:
    assert too_large(cast).wsgi_request.read(1) == b""


def test_a_few_bytes_too_many_are_refused_by_the_labs_own_limit(cast: Cast) -> None:
    version = factories.publish(limits=LabLimits(notebook_bytes=1000))
    klass = factories.klass(version, "Small")
    student = factories.student_of(klass, "Newcomer")
    form = {"notebook": SimpleUploadedFile("a.ipynb", b" " * 1001), "form_key": uuid4()}
    response = browser(student).post(reverse("web:submit", args=[klass.uuid, LAB]), form, headers=HTMX)
    assert response.status_code == 422


def test_a_closed_class_takes_nothing_and_says_why(cast: Cast) -> None:
    klass = factories.klass(cast.version, "Last year", starts_on=date(2025, 1, 1), ends_on=date(2025, 6, 30))
    student = factories.student_of(klass, "Newcomer")
    form = {"notebook": SimpleUploadedFile("a.ipynb", factories.notebook()), "form_key": uuid4()}
    response = browser(student).post(reverse("web:submit", args=[klass.uuid, LAB]), form, headers=HTMX)
    assert response.status_code == 422
    assert b"This class closed on June 30, 2025" in response.content


def test_a_sentence_that_quotes_the_student_is_escaped(cast: Cast) -> None:
    response = post(browser(cast.sam), cast, b"PK\x03\x04", name="<img src=x>.zip", headers=HTMX)
    assert b"<img" not in response.content


def test_it_wants_the_token_of_its_form(cast: Cast) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.sam)
    response = post(strict, cast)
    assert response.status_code == 403
    assert "This page had expired" in text_of(response)
    assert attempts(cast, cast.sam) == 0
