from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from server.web.addresses import client_address

PROXY = "192.0.2.1"


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("", PROXY),
        ("203.0.113.7, nonsense", PROXY),
    ],
)
def test_behind_a_proxy_it_is_the_last_that_was_forwarded(forwarded: str, address: str, settings: Settings) -> None:
    settings.BEHIND_PROXY = True
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded}, REMOTE_ADDR=PROXY)
    assert client_address(request) == address


def test_without_a_proxy_it_is_the_peers() -> None:
    request = RequestFactory().get("/", headers={"X-Forwarded-For": "203.0.113.7"}, REMOTE_ADDR="198.51.100.1")
    assert client_address(request) == "198.51.100.1"


def test_a_peer_on_a_socket_of_the_file_system_has_none() -> None:
    assert client_address(RequestFactory().get("/", REMOTE_ADDR="")) is None
