"""What the broker's announcements make a worker do. Names, not functions, are what others know of these."""

from __future__ import annotations

import functools
import os
import socket
from typing import Any

from celery import signals
from django.conf import settings
from django.db import connection

from server.domain.core import announce
from server.domain.core.clock import now
from server.domain.labs import actions
from workers.app import app, stopping
from workers.pool import default_pool
from workers.pool.warm import WarmPool
from workers.runs import Runner


@app.task(name=actions.GRADE_NEXT)  # type: ignore[untyped-decorator]  # Celery has no types
def grade_next() -> None:
    """Grade one run or, while none waits, render one; then pass the word on if there is more. Scores go first."""
    if stopping():
        return
    # The reaper's own messages stand in line behind the gradings, and go stale there while all workers are busy.
    actions.take_back(now=now())
    runner = _runner(os.getpid())
    if not runner.fitness.may_claim():
        return  # the clock's next word comes to this worker or to another
    if not runner.grade_next():
        runner.render_next()
    if actions.has_work(now=now()):
        announce.announce(actions.GRADE_NEXT)


@app.task(name="labs.reap")  # type: ignore[untyped-decorator]
def reap() -> None:
    actions.reap(now=now())


@functools.cache
def _pool(pid: int) -> WarmPool:
    return default_pool(settings.LAB_PYTHON)


@signals.worker_process_shutdown.connect  # type: ignore[untyped-decorator]
def _close_pool(**_: Any) -> None:
    """Its fork servers would end with this process, but not what they hold on the machine."""
    if _pool.cache_info().currsize:
        _pool(os.getpid()).close()


def warm_up(**_: object) -> None:
    """In each process that will grade, as soon as it has started."""
    _runner(os.getpid()).warm_up()
    connection.close()


signals.worker_process_init.connect(warm_up)


@functools.cache
def _runner(pid: int) -> Runner:
    """This process's own: a forked one must not inherit it."""
    return Runner(
        sandbox=_pool(pid),
        lab_python=settings.LAB_PYTHON,
        cache_dir=settings.CACHE_DIR,
        worker=f"{socket.gethostname()[:80]}:{pid}",
        stopping=stopping,
    )
