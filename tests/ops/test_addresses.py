"""DATABASE_URL and RIDGEPOINT_BROKER_URL, read."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from server.settings import brokers, databases

DATA = Path("/srv/ridgepoint")


def database(monkeypatch: pytest.MonkeyPatch, url: str) -> dict[str, object]:
    monkeypatch.setenv("DATABASE_URL", url)
    return databases.from_environment(DATA)


def test_without_an_address_the_database_is_a_file_in_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert databases.from_environment(DATA)["NAME"] == "/srv/ridgepoint/ridgepoint.sqlite3"


@pytest.mark.django_db
def test_what_sqlite_confirmed_survives_a_power_failure() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's own default says the same.")
    with connection.cursor() as cursor:
        full = 2
        assert cursor.execute("PRAGMA synchronous").fetchone() == (full,)


def test_sqlite_takes_a_relative_and_an_absolute_path(monkeypatch: pytest.MonkeyPatch) -> None:
    assert database(monkeypatch, "sqlite:///db.sqlite3")["NAME"] == "db.sqlite3"
    assert database(monkeypatch, "sqlite:////srv/a%20b.sqlite3")["NAME"] == "/srv/a b.sqlite3"


def test_postgresql_takes_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    found = database(monkeypatch, "postgresql://ridge%40point:p%2Fw@db.example.org:5433/learn?sslmode=require")
    parts = {key: found[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    assert parts == {
        "NAME": "learn",
        "USER": "ridge@point",
        "PASSWORD": "p/w",
        "HOST": "db.example.org",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


def test_postgresql_takes_a_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    found = database(monkeypatch, "postgresql://ridgepoint@/learn?host=%2Frun%2Fpostgresql")
    assert (found["HOST"], found["OPTIONS"]) == ("", {"host": "/run/postgresql"})


@pytest.mark.parametrize(
    "url", ["mysql://db/learn", "learn", "sqlite:///", "postgresql://db", "postgresql://db:port/learn"]
)
def test_another_address_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL") as refused:
        database(monkeypatch, url)
    assert url not in str(refused.value).split(": ")


def test_the_embedded_broker_is_a_socket_in_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RIDGEPOINT_BROKER_URL", raising=False)
    assert brokers.from_environment(DATA) == "redis+socket:///srv/ridgepoint/run/broker.sock"


def test_a_deep_data_folder_gets_a_socket_whose_path_the_kernel_takes() -> None:
    deep = Path("/srv") / ("d" * 120)
    socket = brokers.embedded_socket(deep)
    assert len(bytes(socket)) <= brokers.SOCKET_PATH_BYTES
    assert socket != brokers.embedded_socket(deep / "other")


def test_a_broker_that_is_no_redis_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIDGEPOINT_BROKER_URL", "amqp://broker")
    with pytest.raises(ImproperlyConfigured, match="RIDGEPOINT_BROKER_URL must start with"):
        brokers.from_environment(DATA)
