from __future__ import annotations

from pathlib import Path

import pytest

from workers.sandbox.interface import SandboxUnavailable
from workers.sandbox.interpreter import prefixes


def environment(folder: Path, home: Path) -> Path:
    """A virtual environment as `python -m venv` lays it out, with an installation behind it."""
    for prefix in (folder, home):
        (prefix / "bin").mkdir(parents=True)
        (prefix / "lib").mkdir()
    (home / "bin" / "python3").write_text("")
    (home / "bin" / "python3").chmod(0o755)
    (folder / "bin" / "python").symlink_to(home / "bin" / "python3")
    (folder / "pyvenv.cfg").write_text(f"home = {home / 'bin'}\nversion = 3.11.7\n")
    return folder / "bin" / "python"


def test_it_shows_the_environment_and_the_installation_behind_it(tmp_path: Path) -> None:
    python = environment(tmp_path / "env", tmp_path / "versions" / "3.11")
    assert prefixes(python) == (tmp_path / "env", tmp_path / "versions" / "3.11")


def test_what_lies_in_usr_needs_no_showing() -> None:
    assert prefixes(Path("/usr/bin/python3")) == ()


def test_an_installation_spread_over_a_home_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = environment(tmp_path / "env", tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with pytest.raises(SandboxUnavailable, match="a folder of its own"):
        prefixes(python)


def test_a_missing_interpreter_is_said_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="make demo"):
        prefixes(tmp_path / "bin" / "python")
