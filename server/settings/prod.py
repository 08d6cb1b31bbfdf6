"""Production: nothing guessed. It refuses to start without its secrets, and speaks HTTPS only."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from server.settings import env, logs
from server.settings.base import *  # noqa: F403

env.require(
    "RIDGEPOINT_SECRET_KEY",
    "RIDGEPOINT_ALLOWED_HOSTS",
    "DATABASE_URL",
    "RIDGEPOINT_BROKER_URL",
    "RIDGEPOINT_DATA_DIR",
)

DEBUG = False
SECRET_KEY = env.secret("SECRET_KEY")
# Keys that were in use before, so that a new key doesn't sign everybody out.
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS")
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("RIDGEPOINT_ALLOWED_HOSTS may not hold *: name the hosts that this site answers to.")
CSRF_TRUSTED_ORIGINS = [f"https://{host.replace('.', '*.', 1) if host[0] == '.' else host}" for host in ALLOWED_HOSTS]

SECURE_SSL_REDIRECT = True
SECURE_HSTS_SECONDS = env.integer("HSTS_SECONDS", 365 * 24 * 3600)
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS for sub-domains and
    "security.W021",  # preloading bind other hosts of the domain: the operator's proxy says so, if anyone does
    "security.W019",  # our own pages frame an executed notebook
]
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = True
SESSION_COOKIE_NAME = "__Host-session"
CSRF_COOKIE_SECURE = True
CSRF_COOKIE_NAME = "__Host-csrf"

BEHIND_PROXY = env.boolean("BEHIND_PROXY", False)
if BEHIND_PROXY:
    # Only true when the proxy overwrites this header; without a proxy a client could write it itself.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

LOGGING = logs.to_stderr(structured=True, level=env.text("LOG_LEVEL", "INFO"))
