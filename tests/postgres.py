"""A PostgreSQL server of the tests' own: in a temporary folder, on a socket, gone with the process that started it."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from workers.supervisor import die_with_parent

USER = "ridgepoint"


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The DATABASE_URL of a new, empty server. As root it runs as the system's user `postgres`.

    Raises:
        RuntimeError: there is no PostgreSQL here, or it does not start; the message says why.
    """
    programs = _programs()
    owner = "postgres" if os.getuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="ridgepoint-pg-") as name:
        folder = Path(name)
        if owner:
            account = pwd.getpwnam(owner)
            os.chown(folder, account.pw_uid, account.pw_gid)
        data = folder / "data"
        initdb = [programs / "initdb", "--pgdata", data, "--username", USER, "--auth", "trust", "--no-sync"]
        initdb += ["--encoding", "UTF8", "--locale", "C.UTF-8"]
        made = subprocess.run(initdb, user=owner, group=owner, cwd=folder, capture_output=True, text=True, check=False)
        if made.returncode:
            raise RuntimeError(f"initdb failed: {made.stderr.strip() or made.stdout.strip()}")
        command = [programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses="]
        # Nothing here outlives the tests: no write has to reach a disk.
        for setting in ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60"):
            command += ["-c", setting]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                command,
                user=owner,
                group=owner,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent(),
            )
        try:
            _wait_until_ready(programs, folder, process)
            yield f"postgresql://{USER}@/postgres?{urlencode({'host': name})}"
        finally:
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(15)
            process.kill()
            process.wait()


def _programs() -> Path:
    """The folder of the newest server's programs."""
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    found = packaged[-1] if packaged else shutil.which("initdb")
    if not found:
        raise RuntimeError("PostgreSQL's server is missing: install it, for example with: apt-get install postgresql")
    return Path(found).resolve().parent


def _wait_until_ready(programs: Path, folder: Path, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        asked = subprocess.run(
            [programs / "pg_isready", "--quiet", "--host", folder, "--dbname", "postgres"], check=False
        )
        if asked.returncode == 0:
            return
        time.sleep(0.1)
    raise RuntimeError(f"PostgreSQL did not start: {(folder / 'log').read_text()[-2000:]}")
