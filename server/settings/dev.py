"""A developer's machine and the demo: loopback, debug pages, a key of the machine's own."""

from __future__ import annotations

import os
import secrets

from server.settings import env, logs
from server.settings.base import *  # noqa: F403
from server.settings.base import DATA_DIR

DEBUG = env.boolean("DEBUG", True)
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]

# Static files straight from the source tree: nothing to collect.
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LOGGING = logs.to_stderr(structured=False)

_key_file = DATA_DIR / "dev-secret-key"
if not _key_file.exists():
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    # Written aside and linked into place, so that two first starts agree on one key and none reads half of it.
    _draft = _key_file.with_suffix(f".{os.getpid()}")
    _draft.touch(mode=0o600)
    _draft.write_text(secrets.token_urlsafe(50))
    try:
        os.link(_draft, _key_file)
    except FileExistsError:
        pass
    finally:
        _draft.unlink()
SECRET_KEY = _key_file.read_text()
