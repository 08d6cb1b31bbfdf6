from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from tests.drafts import Draft
from workers.publishing import Workshop
from workers.sandbox import default_sandbox
from workers.sandbox.interface import Sandbox

LIBRARY = settings.ROOT / "courses" / "labkit" / "src" / "labkit"


@pytest.fixture(scope="session")
def jails() -> Sandbox:
    return default_sandbox(settings.LAB_PYTHON)


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cached by content, so tests may share it: what one has proved another need not."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    return Draft(tmp_path / "courses")


@pytest.fixture
def workshop(draft: Draft, jails: Sandbox, shared_cache: Path) -> Workshop:
    return Workshop(jails, settings.LAB_PYTHON, draft.courses_dir, LIBRARY, shared_cache)


@pytest.fixture
def said() -> tuple[list[str], Callable[[str], None]]:
    lines: list[str] = []
    return lines, lines.append
