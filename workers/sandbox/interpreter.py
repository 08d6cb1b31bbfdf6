"""What of the host a lab interpreter needs to see of itself."""

from __future__ import annotations

import os
from pathlib import Path

from workers.sandbox.interface import SandboxUnavailable

# Shown whole in every jail, so that what lies under it needs no mount of its own.
SYSTEM: tuple[str, ...] = ("/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin")


def prefixes(lab_python: Path) -> tuple[Path, ...]:
    """The virtual environment of this interpreter and the installation behind it, at their own paths.

    Raises:
        SandboxUnavailable: there is no interpreter, or its installation is no folder of its own.
    """
    if not os.access(lab_python, os.X_OK):
        raise SandboxUnavailable(
            f"This user can't run a lab interpreter at {lab_python}: run `make demo`, or set RIDGEPOINT_LAB_PYTHON."
        )
    environment = lab_python.absolute().parent.parent
    found = [environment]
    config = environment / "pyvenv.cfg"
    if config.exists():
        settings = dict(line.split(" = ", 1) for line in config.read_text().splitlines() if " = " in line)
        home = Path(settings.get("home", ""))
        found.append(home.parent)
    found.append(lab_python.resolve().parent.parent)
    needed: list[Path] = []
    for prefix in found:
        if any(prefix.is_relative_to(shown) for shown in [*map(Path, SYSTEM), *needed]):
            continue
        if (
            prefix in (Path("/"), Path.home(), Path.home() / ".local", Path("/root"), Path("/home"))
            or not (prefix / "lib").is_dir()
        ):
            raise SandboxUnavailable(
                f"The lab interpreter {lab_python} lies in {prefix}, which a jail can't show as a whole: "
                "make the lab environment from a Python that has a folder of its own."
            )
        needed.append(prefix)
    return tuple(needed)
