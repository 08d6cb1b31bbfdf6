"""What each kind of jail shows and may use."""

from __future__ import annotations

import hashlib
import json
import logging
import math
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Final

from graders.bundle import GIB, MIB, LabBundle
from graders.examiner.control import EXAMINER_EXTRA_BYTES
from workers import prepared
from workers.prepared import GRADERS, HOME
from workers.sandbox.bubblewrap import USER
from workers.sandbox.interface import Forkable, JailLimits, JailSpec, Mount, Sandbox

LIBRARY: Final = f"{HOME}/library"
PREPARED: Final = f"{HOME}/prepared"
STUDENT_SIDE: Final = ("__init__.py", "prepared.py", "wire", "respondent")
"""All of our code that a student's jail shows."""
BEYOND_RUN_S: Final = 300.0
"""How much longer than the student's own time a run may take: starts, restarts, last tests."""
RENDER_S: Final = 90.0

logger = logging.getLogger(__name__)


class LabJails:
    """The two kinds of jail of one lab."""

    def __init__(self, bundle: LabBundle, *, sandbox: Sandbox, lab_python: Path, cache_dir: Path) -> None:
        """Makes what they show, if it isn't there yet: for a lab with a prime.py that may take a minute, once.

        Raises:
            OSError, ValueError, SandboxUnavailable: it can't be made.
        """
        limits = bundle.limits
        cpu_s = math.ceil((limits.run_s + BEYOND_RUN_S) * (os.cpu_count() or 1))
        shared = _shared(bundle, sandbox, lab_python, cache_dir)
        common: dict[str, Any] = {"files": bundle.files, "env": environment()}
        self._student = JailSpec(
            name="student",
            argv=(str(lab_python), "-P", "-m", "graders.respondent", *bundle.imports),
            limits=JailLimits(limits.memory_bytes, limits.pids, limits.tmp_bytes, cpu_s),
            mounts=(*(Mount(GRADERS / name, f"{HOME}/graders/{name}") for name in STUDENT_SIDE), *shared),
            forkable=Forkable("graders.respondent.__main__", bundle.imports),
            **common,
        )
        self._examiner = JailSpec(
            name="examiner",
            argv=(str(lab_python), "-P", "-m", "graders.examiner", *bundle.imports),
            limits=JailLimits(
                limits.memory_bytes + EXAMINER_EXTRA_BYTES, max(limits.pids, 256), limits.tmp_bytes, cpu_s
            ),
            mounts=(Mount(GRADERS, f"{HOME}/graders"), *shared),
            workdir="/home/examiner",
            trusted=True,
            forkable=Forkable("graders.examiner.__main__", bundle.imports),
            **common,
        )

    @property
    def kinds(self) -> tuple[JailSpec, JailSpec]:
        """For who wants to have such jails ready."""
        return self._student, self._examiner

    def student(self, descriptor: int) -> JailSpec:
        return replace(self._student, descriptors=(descriptor,))

    def examiner(self, descriptor: int) -> JailSpec:
        return replace(self._examiner, descriptors=(descriptor,))


def render_jail(lab_python: Path, *descriptors: int) -> JailSpec:
    """`descriptors`: where the HTML goes, and where the executed notebook is read."""
    return JailSpec(
        name="render",
        argv=(str(lab_python), "-P", "-m", "graders.notebook.render", "4", "3"),
        limits=JailLimits(memory_bytes=2 * GIB, pids=64, tmp_bytes=256 * MIB, cpu_s=math.ceil(RENDER_S)),
        mounts=tuple(Mount(GRADERS / name, f"{HOME}/graders/{name}") for name in ("__init__.py", "notebook")),
        env=environment(),
        descriptors=descriptors,
        workdir="/home/render",
        forkable=Forkable("graders.notebook.render"),
    )


def environment() -> dict[str, str]:
    return {
        "PYTHONPATH": f"{HOME}:{LIBRARY}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "USER": USER,  # compilers name their caches by it, and a fork server has another user's number
        "TMPDIR": "/tmp",  # noqa: S108  the jail's own
        "XDG_CACHE_HOME": "/tmp/.cache",  # noqa: S108
        "IPYTHONDIR": "/tmp/.ipython",  # noqa: S108
        "MPLCONFIGDIR": "/tmp/.matplotlib",  # noqa: S108
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }


def prime(
    bundle: LabBundle, *, sandbox: Sandbox, lab_python: Path, cache_dir: Path, patient: bool = True
) -> Path | None:
    """The folder of what the lab's prime.py compiles; None when it has none. `patient`: see prepared.folder_of.

    Raises:
        PrimeFailed: it came to no good end.
        OSError, SandboxUnavailable: the folder or a jail can't be made.
    """
    library = _library(bundle.library, cache_dir)
    return prepared.folder_of(
        bundle,
        library,
        env=environment(),
        sandbox=sandbox,
        lab_python=lab_python,
        cache_dir=cache_dir,
        patient=patient,
    )


def _shared(bundle: LabBundle, sandbox: Sandbox, lab_python: Path, cache_dir: Path) -> tuple[Mount, ...]:
    """What both jails show of a lab, read-only: its library, and what was compiled for it."""
    library = _library(bundle.library, cache_dir)
    try:
        made = prime(bundle, sandbox=sandbox, lab_python=lab_python, cache_dir=cache_dir, patient=False)
    except prepared.PrimeFailed as error:
        # Everybody compiles for themselves then; who publishes the lab is told.
        logger.error("lab.prime-failed lab=%s reason=%s", bundle.lab, error)
        made = None
    return (*(() if library is None else (library,)), *(() if made is None else (Mount(made, PREPARED),)))


def _library(sources: Mapping[str, str], cache_dir: Path) -> Mount | None:
    """A folder with these sources, named by what is in it; made once."""
    if not sources:
        return None
    digest = hashlib.sha256(json.dumps(sorted(sources.items())).encode()).hexdigest()
    folder = cache_dir / "library" / digest
    if folder.is_dir():
        return Mount(folder, LIBRARY)
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        for name, source in sources.items():
            if ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
                raise ValueError(f"The lab's library has a file outside of itself: {name[:80]!r}.")
            target = made / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source, encoding="utf-8")
        _make_readable(made)
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return Mount(folder, LIBRARY)


def _make_readable(folder: Path) -> None:
    """A jail's user is a stranger to us."""
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
