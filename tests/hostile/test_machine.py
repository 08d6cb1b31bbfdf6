"""What looks for escapes finds them: jails with a hole in the wall, and none at all."""

from __future__ import annotations

import os
import signal
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.hostile import machine
from tests.hostile.campaign import Campaign
from tests.hostile.corpus import Attack, Cell
from workers.sandbox import default_sandbox
from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.interface import Ending, Jail, JailSpec, Sandbox
from workers.sandbox.process import Descriptors

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def attack(source: str) -> Attack:
    return Attack("leftovers", "planted", "", "", (Cell("code", "harm", textwrap.dedent(source)),))


def troubles(sandbox: Sandbox, source: str) -> str:
    campaign = Campaign(sandbox)
    try:
        return "\n".join(campaign.run(attack(source)).troubles)
    finally:
        campaign.close()


class SharedMemory(BubblewrapSandbox):
    """Whose jails all write to one folder of the host."""

    folder = Path()

    def _file_system(self, spec: JailSpec, uid: int, children: Descriptors) -> Iterator[str]:
        yield from super()._file_system(spec, uid, children)
        yield from ("--bind", str(self.folder), "/dev/shm")


class NoWalls:
    """Runs a jail's program as it is."""

    name = "none"

    def start(self, spec: JailSpec) -> Jail:
        here = [argument.replace("/opt/ridgepoint", str(ROOT)) for argument in spec.argv]
        places = " ".join(f"{3 + at}<&{number}" for at, number in enumerate(spec.descriptors))
        process = subprocess.Popen(
            ["/bin/bash", "-c", f'exec "$@" {places}', "-", *here],
            pass_fds=spec.descriptors,
            env={**spec.env, "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
            cwd=Path(__file__).parent,
            start_new_session=True,
        )
        return NoJail(process)


class NoJail:
    limits_in_force: dict[str, str] = {}

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def ended(self) -> Ending | None:
        return None if self.process.poll() is None else Ending("exit", self.process.returncode)

    def kill(self) -> Ending:
        self.process.kill()
        self.process.wait()
        return Ending("killed")

    def stderr_tail(self) -> str:
        return ""


def test_a_file_that_came_out_through_a_hole_in_the_wall_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its owner where jails have users of their own, by its name otherwise; and by the next submission."""
    monkeypatch.setattr(machine, "SHARED_FOLDERS", (str(tmp_path),))
    monkeypatch.setattr(SharedMemory, "folder", tmp_path)
    tmp_path.chmod(0o777)
    found = troubles(SharedMemory(settings.LAB_PYTHON), "open('/dev/shm/escaped', 'w').write('x')")
    assert f"new file: {tmp_path}/escaped" in found
    assert "the next submission's outputs differ" in found


def test_a_daemon_without_walls_around_it_is_found() -> None:
    """Though its parents are gone, and it has a session and an environment of its own."""
    daemon = """
        import os, subprocess
        subprocess.Popen(["/bin/sh", "-c", "exec env -i sleep 300 &"], start_new_session=True)
        """
    found = troubles(NoWalls(), daemon)
    try:
        assert "new process" in found
    finally:
        for line in found.splitlines():
            if line.startswith("new process: ") and line.split()[3] == "sleep":
                os.kill(int(line.split()[2]), signal.SIGKILL)


def test_what_a_real_jail_did_inside_is_no_trouble() -> None:
    inside = """
        import subprocess
        open('/dev/shm/escaped', 'w').write('x')
        open('/tmp/escaped', 'w').write('x')
        subprocess.Popen(["sleep", "300"], start_new_session=True)
        """
    assert not troubles(default_sandbox(settings.LAB_PYTHON), inside)


def test_a_changed_file_in_the_cache_is_found(tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text("right")
    before = machine.look(tmp_path)
    (tmp_path / "library.py").write_text("wrong")
    found = machine.differences(before, machine.look(tmp_path))
    assert [line.partition(":")[0] for line in found] == ["new content", "lost content"]


def test_a_control_group_that_stays_is_found() -> None:
    places = machine._places()
    if not places:
        pytest.skip("no control groups can be made here")
    before = machine.look()
    folder = next(iter(places)) / f"{machine.cgroups.PREFIX}{machine.cgroups._owner()}-left"
    folder.mkdir()
    try:
        assert machine.differences(before, machine.look()) == [f"new control group: {folder}"]
    finally:
        folder.rmdir()


def test_a_descriptor_that_stays_open_is_found() -> None:
    before = machine.look()
    read, write = os.pipe()
    try:
        found = machine.differences(before, machine.look())
        assert [line.partition(" (")[0] for line in found] == ["new descriptor: pipe"] * 2
    finally:
        os.close(read)
        os.close(write)
