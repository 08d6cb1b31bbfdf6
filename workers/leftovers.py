"""What a killed process leaves half-written in the data folder: files and folders that never got their names."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

HALF_WRITTEN: Final = "*/.new-*"
OLD_S: Final = 24 * 3600.0
"""Nobody writes one file for a day, on this machine or on another that shares the folder."""


def sweep(folders: Iterable[Path]) -> int:
    """Remove what is old in these stores; returns how many. What can't be removed is left for the next start."""
    before = time.time() - OLD_S
    swept = 0
    for path in (path for folder in folders for path in folder.glob(HALF_WRITTEN)):
        with contextlib.suppress(OSError):
            if path.lstat().st_mtime < before:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                swept += 1
    return swept
