"""The short campaign: each kind of sabotage at a moment of its own, from a fixed seed. `make chaos` is the long one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Final

import pytest

from tests.chaos.plan import SHORT
from tests.ops.programs import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800), pytest.mark.xdist_group("chaos")]

SEED: Final = 20261130
DISTURBED: Final = 3
"""A campaign in which fewer runs had to be claimed again has shown nothing."""
# A machine may lack a part that can be killed, and a moment may not come in time on one that is very slow.
MOST_UNDONE: Final = 3


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the campaign found. It is a process of its own, since it makes an installation of its own."""
    folder = tmp_path_factory.mktemp("chaos")
    command = [sys.executable, "-m", "tests.chaos", "--short", "--seed", str(SEED), "--json", str(folder / "found")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_", "DATABASE_"))}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert (folder / "found").exists(), done.stdout
    sys.stdout.write(done.stdout)  # pytest shows it with what fails
    found: dict[str, Any] = json.loads((folder / "found").read_text())
    return found


def broken(campaign: dict[str, Any], promise: str) -> list[str]:
    return list(campaign["promises"][promise])


def test_the_campaign_came_to_its_end_and_disturbed_grading(campaign: dict[str, Any]) -> None:
    assert "The campaign came to its end" not in campaign["promises"]
    assert campaign["figures"]["claims lost and made again"] >= DISTURBED


def test_all_but_a_few_of_the_planned_sabotages_were_done(campaign: dict[str, Any]) -> None:
    assert campaign["figures"]["sabotages"] >= len(SHORT) - MOST_UNDONE, campaign["not_done"]


@pytest.mark.parametrize(
    "promise",
    [
        "Each client was told of one submission, which was kept",
        "No attempt was lost or used twice",
        "Each submission has exactly one current report",
        "Each report equals the undisturbed one",
        "Each executed notebook was rendered",
        "Nothing was graded under a stale token",
        "A failed run is visible to the instructor and can be restarted",
        "No process was left",
        "The restart left no process, control group, mount or file behind",
    ],
)
def test_it_holds(campaign: dict[str, Any], promise: str) -> None:
    assert broken(campaign, promise) == []
