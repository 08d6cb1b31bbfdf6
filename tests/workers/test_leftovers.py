from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from django.conf import settings

from server.domain.core import blobs
from workers import leftovers


def half_written(hours: float) -> Path:
    path = Path(settings.BLOB_DIR) / "ab" / f".new-{hours:g}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"half of it")
    return aged(path, hours)


def aged(path: Path, hours: float) -> Path:
    then = time.time() - hours * 3600
    os.utime(path, (then, then))
    return path


def test_what_a_killed_writer_left_is_removed_once_it_is_old() -> None:
    old = half_written(hours=25)
    assert leftovers.sweep([settings.BLOB_DIR]) == 1
    assert not old.exists()


def test_what_somebody_may_still_write_stays() -> None:
    young = half_written(hours=1)
    leftovers.sweep([settings.BLOB_DIR])
    assert young.exists()


def test_a_half_made_folder_goes_with_all_in_it(tmp_path: Path) -> None:
    made = tmp_path / "library" / ".new-1"
    made.mkdir(parents=True)
    (made / "labkit.py").touch()
    aged(made, hours=25)
    leftovers.sweep([tmp_path])
    assert not made.exists()


def test_what_is_stored_stays_however_old() -> None:
    name = blobs.put(b"a notebook")
    [path] = Path(settings.BLOB_DIR).glob("*/*")
    aged(path, hours=10_000)
    leftovers.sweep([settings.BLOB_DIR])
    assert blobs.get(name) == b"a notebook"


def test_a_store_that_does_not_exist_yet_is_no_trouble(tmp_path: Path) -> None:
    assert leftovers.sweep([tmp_path / "none"]) == 0


def test_what_can_not_be_removed_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck, other = half_written(hours=26), half_written(hours=27)
    unlink = Path.unlink

    def refusing(path: Path, missing_ok: bool = False) -> None:
        if path == stuck:
            raise PermissionError
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refusing)
    leftovers.sweep([settings.BLOB_DIR])
    assert (stuck.exists(), other.exists()) == (True, False)
