from __future__ import annotations

import pytest
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from django.views.defaults import bad_request, server_error

from server.urls import urlpatterns as our_urls
from tests.factories import Cast
from tests.web.visits import browser, text_of


def _breaks(_request: HttpRequest) -> HttpResponse:
    raise RuntimeError("This view breaks.")


urlpatterns = [*our_urls, path("breaks", _breaks)]


def test_not_found_says_what_may_be_the_matter(cast: Cast) -> None:
    response = browser(cast.sam).get("/nothing-here")
    assert response.status_code == 404
    assert "may belong to a class that you are not in" in text_of(response)


@pytest.mark.urls("tests.web.test_errors")
def test_a_fault_of_ours_is_called_ours(db: None) -> None:
    response = Client(raise_request_exception=False).get("/breaks")
    assert response.status_code == 500
    assert "Something broke on our side" in text_of(response)
    assert "This view breaks." not in text_of(response)


def test_the_page_for_our_faults_needs_neither_database_nor_session() -> None:
    assert server_error(RequestFactory().get("/")).status_code == 500


def test_a_malformed_request_gets_a_page(db: None) -> None:
    response = bad_request(RequestFactory().get("/"), SuspiciousOperation("odd"))
    assert "could not be understood" in response.content.decode()
