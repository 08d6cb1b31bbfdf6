from __future__ import annotations

from typing import Any

from tests.workers.sandbox.test_walls import *  # noqa: F403

# Where a forked jail differs, and why that is no loss.
del test_it_sees_only_the_folders_it_needs  # noqa: F821  the probe lies in /opt, as the graders do
del test_its_environment_is_what_the_specification_says  # noqa: F821  the probe needs a PYTHONPATH


def test_its_keeper_shows_it_no_paths_of_the_host(view: dict[str, Any]) -> None:
    """Its first process was forked from a fork server, of whose command it sees what it may know."""
    assert view["keeper"] == "-P"
    assert "RIDGEPOINT" not in str(view["keeper's environment"])
