"""`python -m workers.sandbox [LAB_PYTHON]` says which walls and limits hold; status 1 when there can be no jail."""

from __future__ import annotations

import sys
from pathlib import Path

from server.settings.base import LAB_PYTHON, SANDBOX
from workers.pool import doctor as pool
from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.doctor import describe
from workers.sandbox.runsc import RunscSandbox


def main() -> int:
    lab_python = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else LAB_PYTHON
    findings = describe(lab_python, RunscSandbox if SANDBOX == "runsc" else BubblewrapSandbox)
    if SANDBOX == "bubblewrap" and any(finding.holds for finding in findings):
        findings.append(pool.describe(lab_python))
    for finding in findings:
        sys.stdout.write(f"{'holds ' if finding.holds else 'LACKS '} {finding.sentence}\n")
    return 0 if any(finding.holds for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
