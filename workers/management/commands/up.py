"""Everything in one supervised process tree: `manage.py up`."""

from __future__ import annotations

import contextlib
import signal
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from workers import services
from workers.supervisor import Service, StartFailed, Supervisor


class Command(BaseCommand):
    help = (
        "Runs the web server, a worker, the periodic tasks and the embedded broker; starts again what dies; "
        "stops all of it on Ctrl-C or SIGTERM. Name services to run only those."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("services", nargs="*", metavar="SERVICE", help=f"of: {', '.join(services.NAMES)}")
        parser.add_argument("--host", default="127.0.0.1", help="where the web server listens (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="its port (8000; 0 for any that is free)")
        parser.add_argument(
            "--concurrency",
            type=int,
            default=services.default_concurrency(),
            help="how many runs the worker grades at once (one for every two cores)",
        )

    def handle(self, *, host: str, port: int, concurrency: int, **options: Any) -> None:
        asked = options["services"] or services.default_names()
        wanted = [name for name in services.NAMES if name in asked]
        if unknown := set(asked) - set(services.NAMES):
            raise CommandError(f"No service is called {min(unknown)}: name some of {', '.join(services.NAMES)}.")
        if set(wanted) != {"broker"}:
            self._check_database()
        try:
            with stop_signals() as stopping, tree(wanted, host=host, port=port, concurrency=concurrency) as (up, url):
                supervisor = Supervisor(up, say=self.stderr.write)
                try:
                    supervisor.start(wanted=lambda: not stopping)
                    self.stdout.write(f"Ridgepoint is up{f' at {url}' if url else ''}. Ctrl-C stops it.")
                    self.stdout.flush()
                    while not stopping:
                        supervisor.tick()
                        time.sleep(0.1)
                finally:
                    supervisor.stop()
        except (services.Taken, StartFailed) as error:
            raise CommandError(str(error)) from error

    def _check_database(self) -> None:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError("The database is not up to date: run `manage.py migrate` first.")
        connection.close()


@contextlib.contextmanager
def tree(
    wanted: Sequence[str], *, host: str, port: int, concurrency: int
) -> Iterator[tuple[list[Service], str | None]]:
    """The services by name, held for this process, and the web server's address if it is one of them.

    Raises:
        services.Taken: another process runs one of them, or listens at that address.
    """
    with contextlib.ExitStack() as held:
        held.enter_context(services.reserved(wanted))
        up: list[Service] = []
        url = None
        if "broker" in wanted:
            up.append(services.broker())
        if "web" in wanted:
            listener = held.enter_context(services.listen(host, port))
            shown = f"[{host}]" if ":" in host else host
            url = f"http://{shown}:{listener.getsockname()[1]}/"
            up.append(services.web(listener))
        if "worker" in wanted:
            up.append(services.worker(concurrency=concurrency))
        if "beat" in wanted:
            up.append(services.beat())
        yield up, url


@contextlib.contextmanager
def stop_signals() -> Iterator[list[int]]:
    """A list that is empty until a signal asks us to stop."""
    received: list[int] = []
    names = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {name: signal.signal(name, lambda number, _frame: received.append(number)) for name in names}
    try:
        yield received
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
