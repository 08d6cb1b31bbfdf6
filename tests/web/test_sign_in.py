from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories import PASSWORD, Cast
from tests.web.visits import browser, text_of

URL = "/sign-in"


def test_it_is_where_nobody_lands_and_comes_back_from(cast: Cast, client: Client) -> None:
    page = reverse("web:class", args=[cast.klass.uuid])
    first = client.get(page)
    assert first.headers["Location"] == f"{URL}?next={page}"
    second = client.post(URL, {"username": "sam", "password": PASSWORD, "next": page})
    assert second.headers["Location"] == page


def test_it_leads_home(cast: Cast, client: Client) -> None:
    assert client.post(URL, {"username": "sam", "password": PASSWORD}).headers["Location"] == "/"


def test_it_does_not_lead_off_the_site(cast: Cast, client: Client) -> None:
    form = {"username": "sam", "password": PASSWORD, "next": "https://elsewhere.example/"}
    assert client.post(URL, form).headers["Location"] == "/"


def test_it_passes_on_who_is_signed_in(cast: Cast) -> None:
    assert browser(cast.sam).get(URL).headers["Location"] == "/"


@pytest.mark.parametrize("form", [{"username": "sam", "password": "no"}, {"username": "nobody", "password": "no"}])
def test_it_says_the_same_of_a_wrong_name_and_a_wrong_password(
    cast: Cast, client: Client, form: dict[str, str]
) -> None:
    assert "That name and password don't match." in text_of(client.post(URL, form))


def test_it_keeps_the_name_and_not_the_password(cast: Cast, client: Client) -> None:
    body = client.post(URL, {"username": "sam", "password": "a wrong one"}).content.decode()
    assert 'value="sam"' in body
    assert "a wrong one" not in body


def test_it_stops_a_guesser(cast: Cast, client: Client) -> None:
    for _ in range(8):
        response = client.post(URL, {"username": "sam", "password": "a guess"})
    assert response.status_code == 429
    assert "can't sign in from here for 15 minutes" in text_of(response)
    assert client.post(URL, {"username": "sam", "password": PASSWORD}).status_code == 429


def test_a_guesser_locks_out_nobody_else(cast: Cast, client: Client) -> None:
    for _ in range(8):
        client.post(URL, {"username": "sam", "password": "a guess"})
    assert client.post(URL, {"username": "cleo", "password": PASSWORD}).status_code == 302


def guess(client: Client, forwarded: str) -> int:
    form = {"username": "sam", "password": "a guess"}
    return client.post(URL, form, headers={"X-Forwarded-For": forwarded}).status_code


def test_behind_a_proxy_a_guesser_does_not_lock_out_the_one_who_is_guessed(
    cast: Cast, client: Client, settings: Settings
) -> None:
    settings.BEHIND_PROXY = True
    assert [guess(client, "203.0.113.7") for _ in range(8)][-1] == 429
    form = {"username": "sam", "password": PASSWORD}
    assert client.post(URL, form, headers={"X-Forwarded-For": "198.51.100.1"}).status_code == 302


def test_behind_a_proxy_a_guesser_can_not_pass_for_others(cast: Cast, client: Client, settings: Settings) -> None:
    settings.BEHIND_PROXY = True
    assert [guess(client, f"198.51.100.{number}, 203.0.113.7") for number in range(8)][-1] == 429


def test_without_a_proxy_nobody_is_believed_where_they_come_from(cast: Cast, client: Client) -> None:
    assert [guess(client, f"198.51.100.{number}") for number in range(8)][-1] == 429
