"""What all environments share. Nothing secret and nothing of one machine stands here."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from server.settings import brokers, databases, env

ROOT = Path(__file__).resolve().parents[2]
DATA_DIR = env.path("DATA_DIR", ROOT / "var")
BLOB_DIR = DATA_DIR / "blobs"
CACHE_DIR = DATA_DIR / "cache"
COURSES_DIR = env.path("COURSES_DIR", ROOT / "courses")
LAB_PYTHON = env.path("LAB_PYTHON", ROOT / ".labenv" / "bin" / "python")
SANDBOX = env.choice("SANDBOX", "bubblewrap", "runsc")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "django_htmx",
    "server.domain.core",
    "server.domain.accounts",
    "server.domain.catalog",
    "server.domain.labs",
    "server.web",
    "workers",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "server.web.security.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "server.urls"
WSGI_APPLICATION = "server.wsgi.application"
ASGI_APPLICATION = "server.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "server" / "web" / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["django.templatetags.static"],
        },
    }
]

DATABASES = {"default": databases.from_environment(DATA_DIR)}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
LOGIN_URL = "web:sign-in"
LOGIN_REDIRECT_URL = "web:home"
LOGOUT_REDIRECT_URL = "web:sign-in"
CSRF_FAILURE_VIEW = "server.web.errors.csrf_failure"

BEHIND_PROXY = False

# Guessing a password is slow: one account from one address gets eight tries in a quarter of an hour.
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "server.web.addresses.client_address"
AXES_LOCKOUT_CALLABLE = "server.web.errors.too_many_sign_ins"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

# Our own pages frame an executed notebook; the content security policy says the same to newer browsers.
X_FRAME_OPTIONS = "SAMEORIGIN"

STATIC_URL = "static/"
STATIC_ROOT: Path | None = env.path("STATIC_ROOT", DATA_DIR / "static")
STATICFILES_DIRS = [ROOT / "server" / "web" / "static"]

# An .ipynb is refused above the lab's own limit; this only bounds what a request may make us read.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024

BROKER_URL = brokers.from_environment(DATA_DIR)

# A worker that says nothing for this long has lost its run.
RUN_LEASE_SECONDS = env.integer("RUN_LEASE_SECONDS", 30, least=2)
RUN_MAX_TRIES = 3
