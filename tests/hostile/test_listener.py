"""Whoever gets through to the listener outside is noticed."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.hostile.listener import PLACES, Listener, listening


def call(listener: Listener, place: str) -> None:
    if place == "port":
        socket.create_connection(("127.0.0.1", int(listener.names["port"]))).close()
        return
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(listener.names["path"] if place == "path" else f"\0{listener.names['abstract']}")


@pytest.mark.parametrize("place", PLACES)
def test_a_caller_is_noticed_after_hanging_up(tmp_path: Path, place: str) -> None:
    with listening(tmp_path) as listener:
        call(listener, place)
        assert listener.callers() == [place]


def test_without_a_caller_there_is_none(tmp_path: Path) -> None:
    with listening(tmp_path) as listener:
        assert listener.callers() == []
    assert not list(tmp_path.iterdir())
