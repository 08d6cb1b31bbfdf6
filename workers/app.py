"""The Celery application: `celery -A workers.app worker`, and one `celery -A workers.app beat`.

The broker carries only announcements; the database says what there is to do. So nothing here relies on a message
arriving once, or at all: tasks take no arguments, may run twice, and the clock repeats what the broker lost.
"""

from __future__ import annotations

import mmap
import os
from typing import Any, Final

from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings.prod")

from django.conf import settings  # after the line that says which

from server.domain.core.announce import QUEUE

REAP_EVERY_S: Final = 5

app = Celery("ridgepoint")
app.conf.update(
    broker_url=settings.BROKER_URL,
    imports=("workers.tasks",),
    task_default_queue=QUEUE,
    task_serializer="json",
    accept_content=["json"],
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=False,
    worker_prefetch_multiplier=1,
    worker_proc_alive_timeout=60,  # each process warms up first, and the database may be slow to answer
    worker_cancel_long_running_tasks_on_connection_loss=False,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    timezone="UTC",
    beat_schedule={
        "reap": {"task": "labs.reap", "schedule": REAP_EVERY_S, "options": {"expires": REAP_EVERY_S}},
    },
    beat_schedule_filename=str(settings.DATA_DIR / "celerybeat-schedule"),
)

# One byte that the pool's processes, forked later, share with this one.
_stopping = mmap.mmap(-1, 1)


def stopping() -> bool:
    """Whether this worker was told to stop: what it grades is then given back, not finished."""
    return _stopping[0] == 1


def _stop(**_: Any) -> None:
    _stopping[0] = 1


def _keep_our_logging(**_: Any) -> None:
    """Celery puts handlers of its own on the root logger, unless somebody answers this signal."""


def _refuse_to_start_without_walls(**_: Any) -> None:
    from workers.sandbox import default_sandbox
    from workers.sandbox.interface import SandboxUnavailable

    try:
        default_sandbox(settings.LAB_PYTHON)
    except SandboxUnavailable as error:
        raise SystemExit(str(error)) from error


def _sweep(**_: Any) -> None:
    from workers import leftovers

    leftovers.sweep((settings.BLOB_DIR, settings.CACHE_DIR))


signals.setup_logging.connect(_keep_our_logging)
signals.worker_shutting_down.connect(_stop)
signals.worker_init.connect(_refuse_to_start_without_walls)
signals.worker_init.connect(_sweep)
