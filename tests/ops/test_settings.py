"""Production refuses to start on a guess, and says which value is missing or wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ops.programs import PRODUCTION, environment, python

READ = "import json; from django.conf import settings as s; s.DEBUG; print(json.dumps({}))"


def read(expression: str, tmp_path: Path, **changes: str | None) -> object:
    """The expression over production's settings `s`; the error's last line instead when they refuse."""
    variables = {name: text for name, text in {**PRODUCTION, **changes}.items() if text is not None}
    done = python(READ.format(expression), environment("prod", tmp_path, variables))
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("name", PRODUCTION)
def test_production_names_the_variable_that_is_missing(name: str, tmp_path: Path) -> None:
    assert f"Set {name}:" in str(read("1", tmp_path, **{name: None}))


def test_production_names_all_that_is_missing_at_once(tmp_path: Path) -> None:
    said = str(read("1", tmp_path, **dict.fromkeys(PRODUCTION)))
    assert all(name in said for name in PRODUCTION)


def test_an_empty_variable_counts_as_missing(tmp_path: Path) -> None:
    assert "Set DATABASE_URL:" in str(read("1", tmp_path, DATABASE_URL=""))


def test_a_short_secret_is_refused_without_being_shown(tmp_path: Path) -> None:
    said = str(read("1", tmp_path, RIDGEPOINT_SECRET_KEY="hunter2"))
    assert "RIDGEPOINT_SECRET_KEY is too short" in said
    assert "hunter2" not in said


def test_a_secret_is_read_from_the_file_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("f" * 50 + "\n")
    key = read("s.SECRET_KEY", tmp_path, RIDGEPOINT_SECRET_KEY=None, RIDGEPOINT_SECRET_KEY_FILE=str(tmp_path / "key"))
    assert key == "f" * 50


def test_a_secret_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    said = str(read("1", tmp_path, RIDGEPOINT_SECRET_KEY=None, RIDGEPOINT_SECRET_KEY_FILE=str(tmp_path / "none")))
    assert "RIDGEPOINT_SECRET_KEY_FILE can't be read" in said


def test_passwords_come_from_files_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "database").write_text("p@ss/word")
    (tmp_path / "broker").write_text("b@ss/word")
    found = read(
        "[s.DATABASES['default']['PASSWORD'], s.BROKER_URL]",
        tmp_path,
        DATABASE_PASSWORD_FILE=str(tmp_path / "database"),
        RIDGEPOINT_BROKER_PASSWORD_FILE=str(tmp_path / "broker"),
    )
    assert found == ["p@ss/word", "redis://:b%40ss%2Fword@broker:6379/0"]


def test_every_host_is_not_an_allowed_host(tmp_path: Path) -> None:
    assert "RIDGEPOINT_ALLOWED_HOSTS may not hold *" in str(read("1", tmp_path, RIDGEPOINT_ALLOWED_HOSTS="*"))


def test_forms_are_trusted_from_the_allowed_hosts_over_https(tmp_path: Path) -> None:
    origins = read("s.CSRF_TRUSTED_ORIGINS", tmp_path)
    assert origins == ["https://learn.example.org", "https://*.campus.example.org"]


def test_cookies_travel_over_https_only(tmp_path: Path) -> None:
    assert read("[s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT]", tmp_path) == [True] * 3


def test_a_proxy_header_is_believed_only_when_the_operator_says_so(tmp_path: Path) -> None:
    expression = "[bool(s.SECURE_PROXY_SSL_HEADER), s.BEHIND_PROXY]"
    assert read(expression, tmp_path) == [False, False]
    assert read(expression, tmp_path, RIDGEPOINT_BEHIND_PROXY="1") == [True, True]


def test_production_passes_its_own_deployment_checks(tmp_path: Path) -> None:
    code = "import django; django.setup(); from django.core.management import call_command as c; "
    code += "c('check', deploy=True, fail_level='WARNING')"
    done = python(code, environment("prod", tmp_path, PRODUCTION))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("module", ["server.wsgi", "server.asgi"])
def test_the_web_process_starts_without_the_labs_packages(module: str, tmp_path: Path) -> None:
    code = f"import {module}, sys; import server.web.urls; "
    code += "print(sorted({'torch', 'numpy', 'otter', 'IPython', 'celery.app.trace'} & set(sys.modules)))"
    done = python(code, environment("dev", tmp_path, {}))
    assert done.stdout.strip() == "[]", done.stderr


def test_the_worker_starts_without_the_labs_packages(tmp_path: Path) -> None:
    code = "import workers.app, django, sys; django.setup(); import workers.tasks; "
    code += "print(sorted({'torch', 'numpy', 'otter', 'IPython'} & set(sys.modules)))"
    done = python(code, environment("dev", tmp_path, {}))
    assert done.stdout.strip() == "[]", done.stderr


def test_a_log_line_is_one_json_object_whatever_was_logged(tmp_path: Path) -> None:
    code = "import django, logging; django.setup(); "
    code += "logging.getLogger('ridgepoint').warning('two\\nlines', extra={'run': 7})"
    done = python(code, environment("prod", tmp_path, PRODUCTION))
    (line,) = done.stderr.splitlines()
    assert {"message": "two\nlines", "run": 7, "level": "WARNING"}.items() <= json.loads(line).items()


def test_two_first_starts_agree_on_the_development_key(tmp_path: Path) -> None:
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    keys = {python(code, environment("dev", tmp_path, {})).stdout for _ in range(2)}
    assert len(keys) == 1
    assert (tmp_path / "dev-secret-key").stat().st_mode & 0o777 == 0o600
