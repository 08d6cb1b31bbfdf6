"""Walls around code that we don't trust. `default_sandbox` builds them; interface.py says what they promise."""

from __future__ import annotations

from pathlib import Path

from workers.sandbox.interface import Sandbox


def default_sandbox(lab_python: Path) -> Sandbox:
    """The sandbox that RIDGEPOINT_SANDBOX names, for programs run by `lab_python`; make one and keep it.

    Raises:
        SandboxUnavailable: this machine can't build jails; the message says what to do.
    """
    from server.settings.base import SANDBOX

    if SANDBOX == "runsc":
        from workers.sandbox.runsc import RunscSandbox

        return RunscSandbox(lab_python)
    from workers.sandbox.bubblewrap import BubblewrapSandbox

    return BubblewrapSandbox(lab_python)
