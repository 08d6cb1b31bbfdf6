"""Logging to standard error: lines for people in development, JSON in production.

Standard output stays free for what a command answers: `manage.py grade --json` may be read by a program.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

# What every record has; anything else was given with `extra=` and belongs in the line.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "request"}


class JsonFormatter(logging.Formatter):
    """One JSON object a line, so that a value can't forge a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        line.update({key: value for key, value in vars(record).items() if key not in _STANDARD})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def to_stderr(*, structured: bool, level: str = "INFO") -> dict[str, Any]:
    """Django's LOGGING."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {"()": "server.settings.logs.JsonFormatter"},
            "plain": {"format": "{asctime} {levelname:<7} {name}: {message}", "style": "{"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json" if structured else "plain",
            },
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django would mail errors and color the development server's lines by handlers of its own.
            **{name: {"handlers": [], "propagate": True} for name in ("django", "django.server")},
            # A line for each message and each beat of the clock; what a run does is logged by its own events.
            **{name: {"level": "WARNING"} for name in ("celery.app.trace", "celery.worker.strategy", "celery.beat")},
        },
    }
