from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.workers.sandbox.conftest import on_each_sandbox
from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.doctor import describe

ROOT = Path(__file__).parents[3]
NOBODY = "65534"
SYSTEM_PYTHON = Path("/usr/bin/python3")


@on_each_sandbox
def test_it_finds_no_wall_missing(sandbox: BubblewrapSandbox) -> None:
    findings = describe(settings.LAB_PYTHON, type(sandbox))
    assert [finding.sentence for finding in findings if "NOT SO" in finding.sentence] == []
    assert len(findings) > 8


@pytest.mark.slow
def test_its_command_asks_the_sandbox_that_is_set() -> None:
    command = [sys.executable, "-m", "workers.sandbox"]
    env = os.environ | {"RIDGEPOINT_SANDBOX": "runsc"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert "System calls go to gVisor's kernel" in done.stdout
    assert done.returncode == 0


def test_it_says_by_what_each_limit_is_held(sandbox: BubblewrapSandbox) -> None:
    said = " ".join(finding.sentence for finding in describe(settings.LAB_PYTHON))
    for controller in ("memory", "pids", "cpu"):
        assert (f"The limit on {controller} is held by a control group" in said) == (controller in sandbox.places)


def test_it_says_what_is_lacking_without_an_interpreter(tmp_path: Path) -> None:
    (finding,) = describe(tmp_path / "bin" / "python")
    assert not finding.holds
    assert "make demo" in finding.sentence


def test_its_command_fails_where_no_jail_can_be_built(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "workers.sandbox", str(tmp_path / "bin" / "python")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("LACKS")


AS_NOBODY = """
import json, sys, time
from pathlib import Path
from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.doctor import describe
from workers.sandbox.interface import JailLimits, JailSpec
from workers.sandbox.runsc import RunscSandbox
python = Path(sys.argv[1])
build = RunscSandbox if sys.argv[2] == "runsc" else BubblewrapSandbox
sandbox = build(python)
def run(code):
    spec = JailSpec("x", (str(python), "-I", "-S", "-c", code), JailLimits(256 << 20, 24, 8 << 20, 20))
    jail = sandbox.start(spec)
    while not (ending := jail.ended()):
        time.sleep(0.01)
    return [ending.kind, ending.code, jail.limits_in_force["memory"], jail.stderr_tail()]
print(json.dumps({
    "findings": [finding.sentence for finding in describe(python, build)],
    "memory": run("x = bytearray(1 << 30)"),
    "files": run("import os; assert os.stat('.').st_uid == os.getuid() == 1000"),
}))
"""


@pytest.fixture(scope="module", params=["bubblewrap", "runsc"])
def as_nobody(request: pytest.FixtureRequest) -> dict[str, list[Any]]:
    """The same on the same machine, for a worker that is an ordinary user."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user; all other tests here already ran as an ordinary one")
    become = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--inh-caps=-all"]
    trial = [*become, sys.executable, "-c", "import workers.sandbox.doctor"]
    if not SYSTEM_PYTHON.exists() or subprocess.run(trial, cwd=ROOT, capture_output=True, check=False).returncode:
        pytest.skip("an ordinary user needs /usr/bin/python3 and a checkout and .venv that it may read")
    command = [*become, sys.executable, "-B", "-c", AS_NOBODY, str(SYSTEM_PYTHON), request.param]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers: dict[str, list[Any]] = json.loads(done.stdout)
    return answers


@pytest.mark.slow
def test_an_ordinary_user_gets_the_same_walls(as_nobody: dict[str, list[Any]]) -> None:
    assert "Jails run as the worker's own user in a user namespace." in as_nobody["findings"]
    assert [sentence for sentence in as_nobody["findings"] if "NOT SO" in sentence] == []


@pytest.mark.slow
def test_an_ordinary_users_jail_owns_its_work_folder(as_nobody: dict[str, list[Any]]) -> None:
    assert as_nobody["files"][:2] == ["exit", 0]


@pytest.mark.slow
@pytest.mark.parametrize("as_nobody", ["bubblewrap"], indirect=True, scope="module")
def test_without_control_groups_allocations_fail_inside(as_nobody: dict[str, list[Any]]) -> None:
    kind, code, means, said = as_nobody["memory"]
    assert (kind, code, means) == ("exit", 1, "256 MiB (rlimit, each process)")
    assert said.strip().endswith("MemoryError")


@pytest.mark.slow
@pytest.mark.parametrize("as_nobody", ["runsc"], indirect=True, scope="module")
def test_without_control_groups_gvisor_says_that_it_limits_no_memory(as_nobody: dict[str, list[Any]]) -> None:
    assert as_nobody["memory"][2] == "no limit: no memory cgroup here"
    assert any(sentence.startswith("Memory is not limited") for sentence in as_nobody["findings"])
