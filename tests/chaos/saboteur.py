"""Breaks one part of the installation at a time, at a named moment or at any, and mends what would not mend itself."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

import redis
from django.conf import settings
from django.db import connection

from server.domain.core import clock
from server.domain.labs.models import GradingRun
from tests.chaos import points, processes
from tests.chaos.installation import LEASE_S, WORKERS, Installation
from tests.chaos.plan import ANY, Strike
from tests.chaos.points import Reached

REACH_S: Final = 45.0
SEEN_S: Final = 10.0
LOCKED_S: Final = (1.0, LEASE_S + 2.0, 24.0)
"""Shorter than a lease; longer; longer than SQLite's patience."""


@dataclass(frozen=True)
class Struck:
    """`missing` says why it could not be done. `run` is the run that was in the process struck, where one was."""

    strike: Strike
    at: datetime
    over: datetime
    run: UUID | None = None
    missing: str = ""


class Saboteur:
    """`feed` hands in one more notebook, so that the phase that it is told comes."""

    def __init__(self, installation: Installation, dice: random.Random, feed: Callable[[str], None]) -> None:
        self._installation = installation
        self._points = installation.points
        self._dice = dice
        self._feed = feed
        self._means: dict[str, Callable[[Reached | None], str]] = {
            "worker killed": self._kill_worker,
            "pool process killed": self._kill_pool_process,
            "worker frozen": self._freeze_worker,
            "student's jail killed": lambda reached: self._kill_jail("student", reached),
            "examiner's jail killed": lambda reached: self._kill_jail("examiner", reached),
            "page's jail killed": lambda reached: self._kill_jail("page", reached),
            "fork server killed": self._kill_fork_server,
            "web killed": lambda _: self._kill_service("web"),
            "clock killed": lambda _: self._kill_service("beat"),
            "broker killed": lambda _: self._kill_service("broker"),
            "broker absent": self._withhold_broker,
            "broker emptied": self._empty_broker,
            "broker frozen": self._freeze_broker,
            "database locked": self._lock_database,
            "disk full": self._fill_disk,
        }

    def strike(self, strike: Strike) -> Struck:
        if strike.phase == ANY:
            self._feed(ANY)
            time.sleep(self._dice.uniform(0.0, 2.0))
            at = clock.now()
            missing = self._means[strike.kind](None)
            return Struck(strike, at, clock.now(), missing=missing)
        reached = self._reach(strike.phase)
        if reached is None:
            now = clock.now()
            return Struck(strike, now, now, missing="nobody came there in time")
        at = clock.now()
        try:
            missing = self._means[strike.kind](reached)
        finally:
            self._points.disarm(strike.phase)
        return Struck(strike, at, clock.now(), UUID(reached.run) if reached.run else None, missing)

    def _reach(self, phase: str) -> Reached | None:
        self._points.arm(phase)
        end, more, cause = time.monotonic() + REACH_S, 0.0, time.monotonic() + 2.0
        while time.monotonic() < end:
            if reached := self._points.reached(phase):
                return reached
            if time.monotonic() > more:
                self._feed(phase)
                more = time.monotonic() + 2.0
            if phase == points.SETTING_BACK and time.monotonic() > cause:
                self._kill_worker(None)  # somebody's run must have been lost first
                cause = time.monotonic() + 3 * LEASE_S
            time.sleep(0.01)
        self._points.disarm(phase)
        return None

    # Workers

    def _worker_of(self, reached: Reached | None) -> int | None:
        """The worker that the process belongs to, else one at random."""
        groups = [pid for name in WORKERS if (pid := self._installation.pid(name))]
        if reached is not None:
            with contextlib.suppress(ProcessLookupError):
                group = os.getpgid(reached.pid)
                return group if group in groups else None
        return self._dice.choice(groups) if groups else None

    def _kill_worker(self, reached: Reached | None) -> str:
        if reached is not None and (os.getpgid(reached.pid) == self._installation.pid("web")):
            return self._kill_service("web")  # the moments of files and announcements come in the web process too
        group = self._worker_of(reached)
        if group is None or not processes.send(group, signal.SIGKILL, group=True):
            return "no worker was up"
        return ""

    def _kill_pool_process(self, reached: Reached | None) -> str:
        if reached is not None:
            return "" if processes.send(reached.pid, signal.SIGKILL) else "it was gone already"
        group = self._worker_of(None)
        children = processes.descendants(group) if group else []
        pool = [pid for pid in children if "celery" in processes.command(pid)]
        if not pool or not processes.send(self._dice.choice(pool), signal.SIGKILL):
            return "no pool process was up"
        return ""

    def _freeze_worker(self, reached: Reached | None) -> str:
        """Until its run is somebody else's, or longer than any lease: then it wakes and must not record."""
        group = self._worker_of(reached)
        if group is None or not processes.send(group, signal.SIGSTOP, group=True):
            return "no worker was up"
        try:
            end = time.monotonic() + LEASE_S + 8.0
            token = self._token(reached)
            time.sleep(LEASE_S + 0.5)
            while reached and token is not None and self._token(reached) == token and time.monotonic() < end:
                time.sleep(0.1)
        finally:
            processes.send(group, signal.SIGCONT, group=True)
        return ""

    def _token(self, reached: Reached | None) -> int | None:
        if reached is None or reached.run is None:
            return None
        return GradingRun.objects.filter(uuid=reached.run).values_list("token", flat=True).first()

    # Jails

    def _kill_jail(self, which: str, reached: Reached | None) -> str:
        """The walls, their first process or the program itself, as soon as there are any."""
        assert reached is not None
        seen = processes.jails(which, under=reached.pid)
        if not seen:
            # The process that waits may be the one that starts it.
            self._points.disarm(reached.name)
            end = time.monotonic() + SEEN_S
            while not seen and time.monotonic() < end:
                time.sleep(0.005)
                seen = processes.jails(which, under=reached.pid)
        if not seen or not processes.send(self._dice.choice(seen), signal.SIGKILL):
            return f"no {which}'s jail was up"
        return ""

    def _kill_fork_server(self, _: Reached | None) -> str:
        killed = [processes.send(pid, signal.SIGKILL) for pid in processes.fork_servers()]
        return "" if any(killed) else "this worker has no fork server"

    # Services

    def _kill_service(self, name: str) -> str:
        pid = self._installation.pid(name)
        return "" if pid and processes.send(pid, signal.SIGKILL, group=True) else f"{name} was not up"

    def _withhold_broker(self, reached: Reached | None) -> str:
        self._installation.withhold_broker(True)
        try:
            missing = self._kill_service("broker")
            if reached is not None:
                self._points.disarm(reached.name)
            self._feed(ANY)
            time.sleep(self._dice.uniform(2.0, 8.0))
        finally:
            self._installation.withhold_broker(False)
        return missing

    def _freeze_broker(self, reached: Reached | None) -> str:
        """It takes connections and answers nobody."""
        pid = self._installation.pid("broker")
        if not pid or not processes.send(pid, signal.SIGSTOP):
            return "broker was not up"
        try:
            if reached is not None:
                self._points.disarm(reached.name)
            self._feed(ANY)
            time.sleep(self._dice.uniform(2.0, 6.0))
        finally:
            processes.send(pid, signal.SIGCONT)
        return ""

    def _empty_broker(self, _: Reached | None) -> str:
        try:
            with redis.Redis(unix_socket_path=settings.BROKER_URL.partition("://")[2], socket_timeout=5) as client:
                client.flushall()
        except (redis.RedisError, OSError) as error:
            return f"the broker did not answer ({type(error).__name__})"
        return ""

    # Database and disk

    def _lock_database(self, reached: Reached | None) -> str:
        with _locked():
            if reached is not None:
                self._points.disarm(reached.name)
            self._feed(ANY)
            time.sleep(self._dice.choices(LOCKED_S, (3, 3, 1))[0])
        return ""

    def _fill_disk(self, reached: Reached | None) -> str:
        with self._filled():
            if reached is not None:
                self._points.disarm(reached.name)
            self._feed(ANY)
            time.sleep(self._dice.uniform(1.0, 6.0))
        return ""

    @contextlib.contextmanager
    def _filled(self) -> Iterator[None]:
        disk = self._installation.disk
        if disk is None:
            self._points.fill_the_store(True)
            try:
                yield
            finally:
                self._points.fill_the_store(False)
            return
        ballast = disk / "ballast"
        try:
            with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * 65536)
            with ballast.open("ab", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(b"\0" * 512)
            yield
        finally:
            ballast.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    """Nobody else writes meanwhile; on PostgreSQL nobody reads the queue either."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN" if connection.vendor == "postgresql" else "BEGIN IMMEDIATE")
        try:
            if connection.vendor == "postgresql":
                cursor.execute("LOCK TABLE labs_gradingrun, labs_submission IN ACCESS EXCLUSIVE MODE")
            yield
        finally:
            cursor.execute("ROLLBACK")
