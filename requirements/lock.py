"""Resolves each `.in` list into its lock: `make lock`, or `make lock UPGRADE=1` for the newest of everything.

A lock is resolved by pip for the oldest Python that we support, to the last digit, and must hold on all of them. What
only some Pythons need gets a line with a marker in the `.in` list, and keeps the marker in the lock.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

OLDEST = "3.11.2"  # Debian 12's; some packages ask for 3.11.5 and would never install there
HERE = Path(__file__).resolve().parent
# Each list with the one that it extends, whose lock it includes instead of repeating it.
LISTS: tuple[tuple[str, str | None], ...] = (
    ("server", None),
    ("test", "server"),
    ("lab", None),
    ("lab-test", "lab"),
    ("bench", "lab"),
)


def main() -> None:
    if sys.version_info[:2] != (3, 11):
        sys.exit("Locks are resolved on Python 3.11, the oldest that we support: make lock PYTHON=python3.11")
    keep = not os.environ.get("UPGRADE")
    for name, base in LISTS:
        lock = HERE / f"{name}.txt"
        inherited = pins_in(base) if base else []
        pins = resolve([name, base] if base else [name], inherited + (pins_in(name) if keep else []))
        head = [f"# Written by `make lock` from {name}.in: change that list, not this one."]
        if base:
            head.append(f"-r {base}.txt")
        lock.write_text("\n".join([*head, *(pin for pin in pins if pin not in inherited)]) + "\n")
        sys.stdout.write(f"{lock.name}: {len(pins)} packages\n")


def resolve(names: list[str], constraints: list[str]) -> list[str]:
    """Every package that the lists need as `name==version`, without the local part that names a build (`+cpu`)."""
    wanted = [line for name in names for line in requirements_in(name)]
    markers = {requirement: marker for requirement, marker in wanted if marker}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "list.txt").write_text("\n".join(requirement for requirement, _ in wanted))
        (work / "constraints.txt").write_text("\n".join(pin.partition(";")[0] for pin in constraints))
        command = [sys.executable, "-m", "pip", "install", "-qq", "--dry-run", "--ignore-installed"]
        command += ["--python-version", OLDEST, "--only-binary", ":all:", "--target", str(work / "nowhere")]
        command += ["--report", str(work / "report.json")]
        command += ["--constraint", str(work / "constraints.txt"), "--requirement", str(work / "list.txt")]
        subprocess.run(command, check=True)
        packages = [item["metadata"] for item in json.loads((work / "report.json").read_text())["install"]]
    pins = []
    for package in packages:
        pin = f"{package['name']}=={package['version'].partition('+')[0]}"
        marker = markers.get(package["name"])
        pins.append(f"{pin}; {marker}" if marker else pin)
    return sorted(pins, key=str.lower)


def requirements_in(name: str) -> list[tuple[str, str]]:
    """The lines of a list as requirement and marker, which is empty for most."""
    lines = [line.partition("#")[0].strip() for line in (HERE / f"{name}.in").read_text().splitlines()]
    parts = [line.partition(";") for line in lines if line and not line.startswith("-r")]
    return [(requirement.strip(), marker.strip()) for requirement, _, marker in parts]


def pins_in(name: str) -> list[str]:
    return [line for line in (HERE / f"{name}.txt").read_text().splitlines() if "==" in line]


if __name__ == "__main__":
    main()
