"""What compiling and proving need of this machine."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workers.sandbox.interface import Sandbox

ROOT = Path(__file__).resolve().parents[2]
_LIBRARY_SUFFIXES = {".py", ".json", ".csv", ".yaml", ".txt"}


@dataclass(frozen=True)
class Workshop:
    """`library_dir` is the folder of the package labkit."""

    sandbox: Sandbox
    lab_python: Path
    courses_dir: Path
    library_dir: Path
    cache_dir: Path

    @cached_property
    def library(self) -> dict[str, str]:
        """labkit's sources and texts by path, as `labkit/roofline.py`."""
        paths = sorted(path for path in self.library_dir.rglob("*") if path.suffix in _LIBRARY_SUFFIXES)
        return {
            f"labkit/{path.relative_to(self.library_dir).as_posix()}": path.read_text(encoding="utf-8")
            for path in paths
            if "__pycache__" not in path.parts
        }

    @cached_property
    def lab_packages(self) -> tuple[str, ...]:
        """Names and versions of what is installed in the lab environment."""
        folders = (self.lab_python.parent.parent / "lib").glob("python3.*/site-packages/*.dist-info")
        return tuple(sorted(folder.name for folder in folders))


def fingerprint(parts: Iterable[str | bytes]) -> str:
    """SHA-256 over the parts, which can't run into each other."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def code_of(*paths: Path) -> str:
    """The fingerprint of Python sources: files, or folders with all that lies below."""
    files = [file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    return fingerprint(part for file in files for part in (file.relative_to(ROOT).as_posix(), file.read_bytes()))


def load(path: Path) -> object | None:
    """A cached JSON document; None when it is missing or unreadable."""
    try:
        document: object = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return document


def store(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees all of it or nothing, however many write it at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(name).replace(path)
