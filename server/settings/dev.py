"""A developer's machine and the demo: loopback, debug pages, a key of the machine's own."""

from __future__ import annotations

import secrets

from server.settings.base import *  # noqa: F403
from server.settings.base import DATA_DIR

DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]

_key_file = DATA_DIR / "dev-secret-key"
if not _key_file.exists():
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    _key_file.touch(mode=0o600)
    _key_file.write_text(secrets.token_urlsafe(50))
SECRET_KEY = _key_file.read_text()
