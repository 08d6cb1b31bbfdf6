"""Files that were prepared once for everybody, laid out where a program expects to find what it may also write."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

PREPARED: Final = Path("/opt/ridgepoint/prepared")
PLACE: Final = Path("/tmp")  # noqa: S108  the jail's own
COPIED_BYTES: Final = 64 * 1024


def lay_out(prepared: Path, target: Path) -> None:
    """Copy the tree `prepared` into `target`, which need not be empty; large files become links into `prepared`.

    So each program has folders of its own to write into, and nobody can change what others will find. Nothing happens
    where there is no `prepared`.
    """
    for folder, names, files in os.walk(prepared):
        here = target / Path(folder).relative_to(prepared)
        for name in names:
            (here / name).mkdir(exist_ok=True)
        for name in files:
            source, place = Path(folder, name), here / name
            if place.exists() or place.is_symlink():
                continue
            if source.stat().st_size > COPIED_BYTES:
                place.symlink_to(source)
            else:
                shutil.copyfile(source, place)
