from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

import pytest
from django.conf import settings

from server.domain.core import blobs


def _files() -> list[Path]:
    return [path for path in Path(settings.BLOB_DIR).rglob("*") if path.is_file()]


def test_the_bytes_come_back_under_their_sha256() -> None:
    name = blobs.put(b"a notebook")
    assert name == hashlib.sha256(b"a notebook").hexdigest()
    assert blobs.get(name) == b"a notebook"


def test_the_same_bytes_are_stored_once() -> None:
    assert blobs.put(b"twice") == blobs.put(b"twice")
    assert len(_files()) == 1


def test_writers_of_the_same_bytes_do_not_meet() -> None:
    data = b"x" * 1_000_000
    threads = [threading.Thread(target=blobs.put, args=(data,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.read_bytes() for path in _files()] == [data]


def test_lost_bytes_are_called_lost() -> None:
    with pytest.raises(blobs.BlobLost):
        blobs.get("0" * 64)


def test_damaged_bytes_are_not_handed_out() -> None:
    name = blobs.put(b"whole")
    _files()[0].write_bytes(b"half")
    with pytest.raises(blobs.BlobLost, match="damaged"):
        blobs.get(name)


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_only_a_sha256_is_a_name(name: str) -> None:
    with pytest.raises(ValueError, match="not the name of a blob"):
        blobs.get(name)


def test_a_failed_write_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        blobs.put(b"too much")
    assert _files() == []


def test_storing_damaged_bytes_again_mends_them() -> None:
    name = blobs.put(b"whole")
    _files()[0].write_bytes(b"half")
    blobs.put(b"whole")
    assert blobs.get(name) == b"whole"


def test_a_new_folder_is_on_the_disk_too(monkeypatch: pytest.MonkeyPatch) -> None:
    synced: set[str] = set()
    sync = os.fsync

    def seen(descriptor: int) -> None:
        synced.add(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        sync(descriptor)

    monkeypatch.setattr("os.fsync", seen)
    folder = Path(settings.BLOB_DIR) / blobs.put(b"new")[:2]
    assert {str(folder), str(folder.parent)} <= synced
