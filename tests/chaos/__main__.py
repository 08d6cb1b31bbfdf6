"""`python -m tests.chaos`: a whole installation, notebooks handed in, everything broken; then the proof."""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import signal
import sys
import tempfile
import threading
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from tests import postgres
from tests.chaos import installation as installations

if TYPE_CHECKING:
    from tests.chaos.campaign import Result


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--submissions", type=int, help="at least this many notebooks (300; few when short)")
    parser.add_argument("--seed", type=int, help="draws what is broken, when and in which order (random)")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--short", action="store_true", help="each kind of sabotage once or twice, as in CI")
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--keep-logs", type=Path, help="where the services' log goes")
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit("Stopped before the end."))
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    say(f"Chaos with seed {seed} on {options.database}.")
    with contextlib.ExitStack() as held:
        url = held.enter_context(postgres.server()) if options.database == "postgresql" else None
        folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="ridgepoint-chaos-")))
        held.enter_context(installations.environment(folder, url))
        result = _campaign(folder, seed, options)
    return 0 if result.ok else 1


def _campaign(folder: Path, seed: int, options: argparse.Namespace) -> Result:
    import django

    django.setup()
    from django.db import connection

    from tests.chaos import campaign, processes, tables, verdict

    campaign.prepare()
    before = set(processes.descendants())
    installation = installations.Installation(folder)
    wanted = options.submissions or (0 if options.short else 300)
    storm = campaign.Campaign(installation, seed=seed, submissions=wanted, short=options.short)
    result = storm.result
    broken: list[str] = []
    try:
        installation.start()
        _beside(installation, lambda: storm.run(say), broken)
        installation.stop()
        result.faults["No process was left"] = list(verdict.nothing_runs(before))
        campaign.age(verdict.half_written(installation.data), hours=48)
        say("Restart: what killed workers left is swept.")
        installation.start()
        _beside(installation, storm.one_more, broken)
        installation.stop()
        result.faults["The restart left no process, control group, mount or file behind"] = [
            *verdict.nothing_runs(before),
            *campaign.after_restart(installation),
        ]
    finally:
        installation.close()
        if options.keep_logs:
            options.keep_logs.write_text(installation.log())
    if broken:
        result.faults["The campaign came to its end"] = broken
    recovered = campaign.recoveries(result)
    say(tables.text(result, recovered))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(tables.data(result, recovered), indent=1) + "\n")
    connection.close()
    return result


def _beside(installation: installations.Installation, work: object, broken: list[str]) -> None:
    """Do the work in a thread, while this one keeps the installation up: the services are tied to it."""
    over = threading.Event()

    def run() -> None:
        from django.db import connection

        try:
            work()  # type: ignore[operator]
        except Exception:  # noqa: BLE001 - whatever it is, the tables must still come
            broken.append(traceback.format_exc())
        finally:
            connection.close()
            over.set()

    thread = threading.Thread(target=run)
    thread.start()
    installation.keep_up(over)
    thread.join()


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
