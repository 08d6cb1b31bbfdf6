"""`python -m tests.hostile`: run the corpus and print a table; status 1 when an attack gained or left anything."""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
import time

import django

from tests.hostile import corpus


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--only", metavar="KIND[/NAME]", default="", help="attacks whose name begins like this")
    parser.add_argument("--sandbox", default="cold", choices=("cold", "warm"))
    parser.add_argument("--outputs", action="store_true", help="print the executed notebook's outputs too")
    options = parser.parse_args()
    chosen = corpus.attacks(options.only)
    if not chosen:
        parser.error(f"no attack is called {options.only}")

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings.test")
    django.setup()
    from tests.hostile.campaign import Campaign, Verdict, shown
    from tests.hostile.sandboxes import opened

    def show(verdict: Verdict) -> None:
        attack = verdict.attack
        naive = textwrap.shorten(re.split("[,;:]", attack.naive)[0].rstrip("."), 30, placeholder=" …")
        fate = "holds" if not verdict.troubles else "FAILED"
        say(f"{attack.kind:<11}{attack.name:<36}{naive:<31}{verdict.ours:<9}{fate:<7}{verdict.seconds:>6.1f} s")
        for trouble in verdict.troubles:
            say(f"    {trouble[:2_000]}")
        if options.outputs and verdict.outcome is not None:
            say(shown(verdict.outcome.executed))

    say(f"{'kind':<11}{'attack':<36}{'naive grader':<31}{'ours':<9}{'walls':<7}{'time':>8}")
    began, failed = time.monotonic(), 0
    with opened(options.sandbox) as sandbox:
        campaign = Campaign(sandbox)
        try:
            for attack in chosen:
                verdict = campaign.run(attack)
                failed += bool(verdict.troubles)
                show(verdict)
        finally:
            campaign.close()
    kinds = len({attack.kind for attack in chosen})
    held = f"{len(chosen) - failed} of {len(chosen)} attacks of {kinds} kinds gained nothing and left nothing"
    say(f"{held}; {time.monotonic() - began:.0f} s on the {options.sandbox} sandbox")
    return 1 if failed else 0


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
