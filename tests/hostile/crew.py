"""Two processes that go through the attacks together, each with a sandbox of its own: most of an attack is waiting."""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
from collections.abc import Iterator, Sequence
from multiprocessing.queues import Queue
from typing import TYPE_CHECKING, Final

import django

from tests.hostile.corpus import Attack

if TYPE_CHECKING:
    from tests.hostile.campaign import Verdict

PROCESSES: Final = 2


def verdicts(attacks: Sequence[Attack], sandbox: str) -> Iterator[Verdict]:
    """As they come, from two processes, each with a sandbox of its own: most of an attack is waiting."""
    context = multiprocessing.get_context("spawn")
    todo, done = context.Queue(), context.Queue()
    for attack in [*attacks, *[None] * PROCESSES]:
        todo.put(attack)
    processes = [context.Process(target=work, args=(sandbox, todo, done)) for _ in range(min(PROCESSES, len(attacks)))]
    for process in processes:
        process.start()
    for _ in attacks:
        while (verdict := _next(done)) is None:
            if not any(process.is_alive() for process in processes) and done.empty():
                raise SystemExit("The campaign's processes have ended before it was over.")
        yield verdict
    for process in processes:
        process.join()


def _next(done: Queue[Verdict]) -> Verdict | None:
    try:
        return done.get(timeout=5)
    except queue.Empty:
        return None


def work(name: str, todo: Queue[Attack | None], done: Queue[Verdict]) -> None:
    django.setup()
    from tests.hostile.campaign import Campaign
    from tests.hostile.sandboxes import opened

    with opened(name) as sandbox, contextlib.closing(Campaign(sandbox)) as campaign:
        while (attack := todo.get()) is not None:
            done.put(campaign.run(attack))
