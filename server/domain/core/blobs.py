"""Immutable bytes, named by their SHA-256, under BLOB_DIR. The same bytes are stored once."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from django.conf import settings

NAME: Final = re.compile(r"[0-9a-f]{64}")


class BlobLost(RuntimeError):
    """The bytes that a row names are gone or damaged: restore them from a backup."""


def put(data: bytes) -> str:
    """Store the bytes and return their name. They are on the disk, whole, when this returns."""
    name = hashlib.sha256(data).hexdigest()
    path = _path(name)
    with contextlib.suppress(OSError):
        if path.read_bytes() == data:  # else it was damaged, and is mended now
            return name
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    for folder in (path.parent, path.parent.parent):  # the folder may be new itself
        _sync_folder(folder)
    return name


def get(name: str) -> bytes:
    """The bytes of that name.

    Raises:
        BlobLost: they are not there, or no longer the bytes that were stored.
    """
    try:
        data = _path(name).read_bytes()
    except OSError as error:
        raise BlobLost(f"The stored bytes {name[:12]} can't be read: {error.strerror}.") from error
    if hashlib.sha256(data).hexdigest() != name:
        raise BlobLost(f"The stored bytes {name[:12]} are damaged.")
    return data


def _path(name: str) -> Path:
    if not NAME.fullmatch(name):
        raise ValueError(f"{name[:80]!r} is not the name of a blob.")
    return Path(settings.BLOB_DIR) / name[:2] / name[2:]


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
