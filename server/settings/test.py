"""The test suite: as production where it can be, with fast password hashing."""

from __future__ import annotations

from server.settings.base import *  # noqa: F403

DEBUG = False
SECRET_KEY = "a key that only tests use, and only tests may know"  # noqa: S105
STATIC_ROOT = None
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
