"""Starts the house's programs as an operator would: a process, an environment, nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PRODUCTION = {
    "RIDGEPOINT_SECRET_KEY": "a key for tests, long and with 0 value elsewhere: x7Q",
    "RIDGEPOINT_ALLOWED_HOSTS": "learn.example.org,.campus.example.org",
    "RIDGEPOINT_BROKER_URL": "redis://broker:6379/0",
    "DATABASE_URL": "postgresql://ridgepoint@database/ridgepoint",
}


def environment(settings: str, data_dir: Path, variables: Mapping[str, str]) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": f"server.settings.{settings}",
        "RIDGEPOINT_DATA_DIR": str(data_dir),
        **variables,
    }


def python(code: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """The code in a fresh interpreter, with exactly this environment."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=dict(env), capture_output=True, text=True, timeout=120, check=False
    )
