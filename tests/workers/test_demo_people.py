from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management.base import CommandError
from pytest_django import Settings

from workers.management.cast import people_of_the_demo


def test_their_passwords_stay_the_same_and_ours_alone(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    assert people_of_the_demo() == people_of_the_demo()
    assert (tmp_path / "demo-passwords.json").stat().st_mode & 0o777 == 0o600


def test_a_file_that_was_cut_off_is_written_again(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    (tmp_path / "demo-passwords.json").write_text('{"ines": ')
    assert people_of_the_demo() == people_of_the_demo()


def test_they_are_not_made_in_production(settings: Settings) -> None:
    settings.SETTINGS_MODULE = "server.settings.prod"
    with pytest.raises(CommandError, match=r"server\.settings\.dev"):
        people_of_the_demo()
