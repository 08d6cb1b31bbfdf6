"""Resolves each `.in` list into its lock: `make lock`, or `make lock UPGRADE=1` for the newest of everything.

A lock is resolved by pip on the oldest Python that we support and must hold on all of them: what only a newer
Python needs gets a line with a marker in the `.in` list.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Each list with the one that it extends, whose lock it includes instead of repeating it.
LISTS: tuple[tuple[str, str | None], ...] = (
    ("server", None),
    ("test", "server"),
    ("lab", None),
    ("lab-test", "lab"),
)


def main() -> None:
    if sys.version_info[:2] != (3, 11):
        sys.exit("Locks are resolved on Python 3.11, the oldest that we support: make lock PYTHON=python3.11")
    keep = not os.environ.get("UPGRADE")
    for name, base in LISTS:
        lock = HERE / f"{name}.txt"
        pins = resolve(name, base, keep=keep)
        inherited = set(lines(HERE / f"{base}.txt")) if base else set()
        head = [f"# Written by `make lock` from {name}.in: change that list, not this one."]
        if base:
            head.append(f"-r {base}.txt")
        lock.write_text("\n".join([*head, *(pin for pin in pins if pin not in inherited)]) + "\n")
        sys.stdout.write(f"{lock.name}: {len(pins)} packages\n")


def resolve(name: str, base: str | None, *, keep: bool) -> list[str]:
    """Every package of the list as `name==version`, without the local part that names a build (`+cpu`)."""
    # A constraint file may not include another.
    constraints = [lock for lock in (f"{name}.txt", f"{base}.txt") if (HERE / lock).exists() and base != lock[:-4]]
    if not keep:
        constraints = []
    if base:  # What a longer list shares with its base must be the same there.
        constraints.append(f"{base}.txt")
    with tempfile.TemporaryDirectory() as folder:
        constraint = Path(folder) / "constraints.txt"
        constraint.write_text("\n".join(pin for lock in constraints for pin in lines(HERE / lock)) + "\n")
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "-qq", "--dry-run", "--ignore-installed"]
        command += ["--report", str(report), "--constraint", str(constraint), "--requirement", str(HERE / f"{name}.in")]
        subprocess.run(command, check=True)
        packages = [item["metadata"] for item in json.loads(report.read_text())["install"]]
    pins = [f"{package['name']}=={package['version'].partition('+')[0]}" for package in packages]
    return sorted(pins, key=str.lower)


def lines(lock: Path) -> list[str]:
    return [line for line in lock.read_text().splitlines() if "==" in line and not line.startswith("#")]


if __name__ == "__main__":
    main()
