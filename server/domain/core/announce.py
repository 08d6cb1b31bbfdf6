"""Telling the workers to look. The database is the truth: a lost announcement costs time, never work.

Domain code knows the workers' tasks by name only, and speaks once its transaction is committed.
"""

from __future__ import annotations

import functools
import logging
from typing import Any, Final

from celery import Celery
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from server.domain.core.events import log

QUEUE: Final = "ridgepoint"
SECONDS_TO_WAIT: Final = 2

logger = logging.getLogger(__name__)


def after_commit(task: str, *, times: int = 1, expires_s: float | None = None) -> None:
    """Announce `task` when the current transaction has been committed; not at all if it is rolled back.

    `times` for so many workers. Where the broker does not answer, one wait for it is enough.
    """
    transaction.on_commit(lambda: all(announce(task, expires_s=expires_s) for _ in range(times)))


def announce(task: str, *, expires_s: float | None = None) -> bool:
    """Put one message on the queue. Without a broker: a log line and False; the reaper announces again later."""
    try:
        _producer(settings.BROKER_URL).send_task(task, expires=expires_s, ignore_result=True, retry=False)
    except (OperationalError, OSError) as error:
        log(logger, "announce.failed", logging.WARNING, task=task, error=type(error).__name__)
        return False
    return True


def transport_options() -> dict[str, Any]:
    """A request must not hang on a broker that does not answer."""
    return {"socket_connect_timeout": SECONDS_TO_WAIT, "socket_timeout": SECONDS_TO_WAIT, "max_retries": 0}


@functools.cache
def _producer(url: str) -> Celery:
    app = Celery("announcer", broker=url, set_as_current=False, fixups=[])
    app.conf.update(
        task_serializer="json",
        task_default_queue=QUEUE,
        task_ignore_result=True,
        broker_connection_timeout=SECONDS_TO_WAIT,
        broker_transport_options=transport_options(),
    )
    return app
