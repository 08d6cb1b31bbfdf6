"""What tests/workers/sandbox asks of a jail, asked of one that was forked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.workers.sandbox.conftest import Start, starting
from workers.pool import default_pool
from workers.pool.keeper import KeeperSandbox
from workers.sandbox.interface import Forkable, Jail, JailSpec, Mount
from workers.sandbox.process import memory_file

PROBE = Path(__file__).with_name("probe")


class Probes:
    """Runs `python -c CODE` in forked jails, never in cold ones."""

    def __init__(self) -> None:
        self.pool = default_pool(settings.LAB_PYTHON)
        self._keeper = KeeperSandbox(settings.LAB_PYTHON)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._keeper, name)

    def start(self, spec: JailSpec) -> Jail:
        code = memory_file(spec.argv[-1].encode())
        try:
            jail = self.pool.start(
                replace(
                    spec,
                    argv=(str(settings.LAB_PYTHON), "-P", "-m", "probe"),
                    mounts=(*spec.mounts, Mount(PROBE, "/opt/ridgepoint/probe")),
                    env={"PYTHONPATH": "/opt/ridgepoint", **spec.env},
                    descriptors=(*spec.descriptors, code),
                    forkable=Forkable("probe.__main__"),
                )
            )
        finally:
            os.close(code)
        assert type(jail).__name__ == "ForkedJail", "it started cold"
        return jail


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Probes]:
    probes = Probes()
    yield probes
    probes.pool.close()


@pytest.fixture
def start(sandbox: Probes) -> Iterator[Start]:
    with starting(sandbox) as start:  # type: ignore[arg-type]
        yield start
