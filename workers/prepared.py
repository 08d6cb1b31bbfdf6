"""What a lab's `prime.py` compiles, made once on this machine and shown to every jail of the lab."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import io
import math
import shutil
import socket
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, Self, cast

import graders
from graders.bundle import LabBundle
from workers.sandbox.interface import JailLimits, JailSpec, Mount, Sandbox

GRADERS: Final = Path(graders.__file__).parent
HOME: Final = "/opt/ridgepoint"
PRIME_S: Final = 600.0
SILENCE_S: Final = 5.0
AGAIN_S: Final = 600.0
"""How long a prime.py that failed is not run again for a submission."""
MOST_BYTES: Final = 4 * 1024**3
MOST_FILES: Final = 100_000
MOST_NAME_BYTES: Final = 8192
SHOWN: Final = ("__init__.py", "prime.py")


class PrimeFailed(RuntimeError):
    """The lab's prime.py came to no good end: the message says how, for its author."""


def folder_of(
    bundle: LabBundle,
    library: Mount | None,
    *,
    env: dict[str, str],
    sandbox: Sandbox,
    lab_python: Path,
    cache_dir: Path,
    patient: bool = False,
) -> Path | None:
    """The folder to show; None when the lab prepares nothing. Made by the first who asks, while others wait.

    `patient`: try again what failed a moment ago.

    Raises:
        PrimeFailed: see there.
        SandboxUnavailable: no jail can be started.
        OSError: the folder can't be written.
    """
    if not bundle.prime:
        return None
    folder = cache_dir / "prepared" / _key(bundle, library, lab_python)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.is_dir():
            return folder
        failed = folder.with_suffix(".failed")
        if not patient and failed.exists() and time.time() < failed.stat().st_mtime + AGAIN_S:
            raise PrimeFailed(failed.read_text(encoding="utf-8", errors="replace"))
        made = folder.with_name(f".new-{folder.name}")
        shutil.rmtree(made, ignore_errors=True)  # of a worker that was killed
        made.mkdir()
        try:
            _make(made, bundle, library, env, sandbox, lab_python)
            made.chmod(0o755)
            made.rename(folder)
        except PrimeFailed as error:
            failed.write_text(str(error), encoding="utf-8", errors="replace")
            raise
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder


def _make(
    made: Path, bundle: LabBundle, library: Mount | None, env: dict[str, str], sandbox: Sandbox, lab_python: Path
) -> None:
    limits = bundle.limits
    ours, theirs = socket.socketpair()
    spec = JailSpec(
        name="prime",
        argv=(str(lab_python), "-P", "-m", "graders.prime", *bundle.imports),
        limits=JailLimits(limits.memory_bytes, limits.pids, max(limits.tmp_bytes, 2 * 1024**3), math.ceil(PRIME_S)),
        mounts=(
            *(Mount(GRADERS / name, f"{HOME}/graders/{name}") for name in SHOWN),
            *(() if library is None else (library,)),
        ),
        files={**bundle.files, "prime.py": bundle.prime.encode()},
        env=env,
        descriptors=(theirs.fileno(),),
    )
    with ours:
        with theirs:
            jail = sandbox.start(spec)
        try:
            unpack(cast("IO[bytes]", io.BufferedReader(_Until(ours, time.monotonic() + PRIME_S))), made)
            end = time.monotonic() + SILENCE_S
            while (ending := jail.ended()) is None and time.monotonic() < end:
                time.sleep(0.01)
            if ending is None or (ending.kind, ending.code) != ("exit", 0):
                raise PrimeFailed(f"prime.py failed ({ending}): {jail.stderr_tail()[-1000:]}")
        except (OSError, tarfile.TarError) as error:
            raise PrimeFailed(
                f"prime.py left nothing that can be kept ({error}): {jail.stderr_tail()[-1000:]}"
            ) from error
        finally:
            jail.kill()


class _Until(io.RawIOBase):
    """Reads what comes until a certain time, however slowly it comes."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection = connection
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(max(self._deadline - time.monotonic(), 0.001))
        return self._connection.recv_into(buffer)


class _Member(tarfile.TarInfo):
    """A plain file, or the long name of the next: all other headers may be of any size, and are held in memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        member = super().frombuf(buf, encoding, errors)
        if member.type == tarfile.GNUTYPE_LONGNAME:
            fits = member.size <= MOST_NAME_BYTES
        else:
            fits = member.type in (tarfile.REGTYPE, tarfile.AREGTYPE)
        if not fits:
            raise tarfile.ReadError(f"{member.name[:80]!r} is no plain file, or its name is too long")
        return member


def unpack(stream: IO[bytes], target: Path) -> None:
    """Plain files only, none outside of `target`."""
    size = 0
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
        for count, member in enumerate(archive, 1):
            parts = PurePosixPath(member.name).parts
            size += member.size
            too_much = size > MOST_BYTES or count > MOST_FILES
            if not member.isreg() or ".." in parts or member.name.startswith("/") or too_much:
                raise tarfile.TarError(f"{member.name[:80]!r} is no plain file, lies elsewhere, or is one too many")
            place = target.joinpath(*parts)
            place.parent.mkdir(parents=True, exist_ok=True)
            content = archive.extractfile(member)
            assert content is not None  # noqa: S101  it is a plain file
            with content, place.open("wb") as file:
                shutil.copyfileobj(content, file)
            place.chmod(0o755 if member.mode & 0o100 else 0o644)
    for folder in _folders(target):
        folder.chmod(0o755)


def _folders(top: Path) -> Iterator[Path]:
    return (path for path in top.rglob("*") if path.is_dir())


def _key(bundle: LabBundle, library: Mount | None, lab_python: Path) -> str:
    parts: list[Any] = [bundle.prime, *bundle.imports, str(library and library.source.name), *_environment(lab_python)]
    parts += [part for item in sorted(bundle.files.items()) for part in item]
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


@functools.cache
def _environment(lab_python: Path) -> tuple[str, ...]:
    """Another interpreter, at another place or with other packages, finds nothing that this one compiled."""
    packages = (lab_python.parent.parent / "lib").glob("python3.*/site-packages/*.dist-info")
    return (str(lab_python), str(lab_python.resolve()), *sorted(path.name for path in packages))
