from __future__ import annotations

import errno
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.workers.sandbox.conftest import Start, on_each_sandbox, starting
from workers.sandbox.bubblewrap import BubblewrapSandbox
from workers.sandbox.interface import Mount

LOOK = """
status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
say({
    "status": {name: status.get(name, "0").split() for name in
               ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "Seccomp")},
    "new privileges": not ctypes.CDLL(None).prctl(39, 0, 0, 0, 0),
    "environment": dict(os.environ),
    "top": sorted(os.listdir("/")),
    "etc": sorted(os.listdir("/etc")),
    "dev": sorted(os.listdir("/dev")),
    "home": sorted(os.listdir("/home")),
    "pids": sorted(name for name in os.listdir("/proc") if name.isdigit()),
    "keeper": open("/proc/1/cmdline").read().split("\\0")[1],
    "keeper's environment": attempt(lambda: open("/proc/1/environ").read()) or open("/proc/1/environ").read(),
    "interfaces": [line.split(":")[0].strip() for line in open("/proc/net/dev").read().splitlines()[2:]],
    "host": os.uname().nodename,
    "cwd": os.getcwd(),
    "owners": [os.stat(path).st_uid == os.getuid() for path in (".", "data", "data/numbers.csv")],
    "file": open("data/numbers.csv").read(),
    "mode": oct(os.stat("data/numbers.csv").st_mode),
    "standard": [os.readlink(f"/proc/self/fd/{number}") for number in (0, 1)],
    "user": open("/etc/passwd").read(),
})
"""


@pytest.fixture(scope="module")
def view(sandbox: BubblewrapSandbox) -> Iterator[dict[str, Any]]:
    """What a program sees of its jail. The worker's own environment holds a secret while it starts."""
    os.environ["RIDGEPOINT_SECRET_KEY"] = "only the worker may know this"
    try:
        with starting(sandbox) as start:
            jail = start(LOOK, files={"data/numbers.csv": b"1,2\n"}, env={"COLOR": "green"})
            yield jail.hear()
    finally:
        del os.environ["RIDGEPOINT_SECRET_KEY"]


@on_each_sandbox
def test_its_user_is_not_root(view: dict[str, Any]) -> None:
    assert all(int(uid) >= 1000 for uid in view["status"]["Uid"] + view["status"]["Gid"])


@on_each_sandbox
def test_it_belongs_to_no_group_of_the_host(view: dict[str, Any]) -> None:
    overflow = Path("/proc/sys/kernel/overflowgid").read_text().strip()  # how a user namespace shows foreign groups
    assert set(view["status"]["Groups"]) <= {overflow}


@on_each_sandbox
@pytest.mark.parametrize("kind", ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
def test_it_has_no_capabilities(view: dict[str, Any], kind: str) -> None:
    assert int(view["status"][kind][0], 16) == 0


@on_each_sandbox
def test_it_can_gain_no_rights_by_running_a_program(view: dict[str, Any]) -> None:
    assert view["new privileges"] is False


def test_its_system_calls_are_filtered(view: dict[str, Any]) -> None:
    assert view["status"]["Seccomp"] == ["2"]


@on_each_sandbox
def test_its_environment_is_what_the_specification_says(view: dict[str, Any]) -> None:
    expected = {"COLOR": "green", "HOME": "/home/student", "LANG": "C.UTF-8", "PWD": "/home/student"}
    assert view["environment"] == expected | {"PATH": "/usr/local/bin:/usr/bin:/bin"}


def test_its_keeper_shows_it_no_environment(view: dict[str, Any]) -> None:
    assert view["keeper's environment"] in ("", errno.EACCES)


def test_its_keeper_shows_it_no_paths_of_the_host(view: dict[str, Any]) -> None:
    assert view["keeper"] == "--args"


def test_it_sees_only_its_own_processes(view: dict[str, Any]) -> None:
    assert view["pids"] == ["1", "2"]


@on_each_sandbox
def test_it_has_no_network_but_its_own_loopback(view: dict[str, Any]) -> None:
    assert view["interfaces"] == ["lo"]


@on_each_sandbox
def test_its_host_name_tells_nothing(view: dict[str, Any]) -> None:
    assert view["host"] == "lab"


@on_each_sandbox
def test_it_sees_only_the_folders_it_needs(view: dict[str, Any]) -> None:
    prefixes = {settings.LAB_PYTHON.parts[1], settings.LAB_PYTHON.resolve().parts[1]}
    system = {"bin", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "sys", "tmp", "usr"}
    assert set(view["top"]) <= system | prefixes


def test_its_etc_is_made_for_it(view: dict[str, Any]) -> None:
    allowed = {"alternatives", "fonts", "group", "hosts", "ld.so.cache", "nsswitch.conf", "passwd"}
    assert set(view["etc"]) <= allowed


@on_each_sandbox
def test_its_only_account_is_its_own(view: dict[str, Any]) -> None:
    assert view["user"].count("\n") == 1
    assert view["user"].startswith("student:x:")


def test_its_devices_are_the_harmless_ones(view: dict[str, Any]) -> None:
    links = {"core", "fd", "ptmx", "stderr", "stdin", "stdout"}
    assert set(view["dev"]) - links <= {"console", "full", "null", "pts", "random", "shm", "tty", "urandom", "zero"}


@on_each_sandbox
def test_its_work_folder_and_files_are_its_own(view: dict[str, Any]) -> None:
    assert (view["cwd"], view["owners"], view["mode"]) == ("/home/student", [True, True, True], "0o100644")


@on_each_sandbox
def test_its_files_hold_what_was_given(view: dict[str, Any]) -> None:
    assert view["file"] == "1,2\n"


@on_each_sandbox
def test_it_reads_nothing_and_prints_nowhere_by_default(view: dict[str, Any]) -> None:
    assert view["standard"] == ["/dev/null", "/dev/null"]


@on_each_sandbox
def test_it_sees_no_home_but_its_work_folder(view: dict[str, Any]) -> None:
    own = {path.parts[2] for path in (settings.LAB_PYTHON, settings.LAB_PYTHON.resolve()) if path.parts[1] == "home"}
    assert set(view["home"]) <= {"student"} | own


@on_each_sandbox
def test_of_the_interpreters_parents_it_sees_only_the_way(start: Start, sandbox: BubblewrapSandbox) -> None:
    parents = [str(parent) for prefix in sandbox.prefixes for parent in list(prefix.parents)[:-1]]
    jail = start(f"say({{path: os.listdir(path) for path in {parents!r}}})")
    ways = [str(prefix) for prefix in sandbox.prefixes]
    for parent, names in jail.hear().items():
        for name in names:
            shown = f"{parent}/{name}"
            assert any(way == shown or way.startswith(f"{shown}/") for way in ways) or parent == "/tmp", shown


@pytest.mark.parametrize(
    "path",
    [
        "/etc/shadow",
        "/etc/ssh",
        "/root/.ssh",
        "/run",
        "/var",
        "/sys/fs",
        "/sys/kernel",
        str(Path(__file__)),
        str(settings.ROOT / "manage.py"),
        str(settings.COURSES_DIR),
        str(settings.DATA_DIR),
    ],
)
def test_it_does_not_see_the_hosts(start: Start, path: str) -> None:
    jail = start(f"say(os.path.exists({path!r}))")
    assert jail.hear() is False


@on_each_sandbox
def test_it_does_not_see_the_hosts_temporary_files(start: Start, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hidden tests")
    jail = start(f"say([os.path.exists({str(secret)!r}), os.listdir('/tmp'), os.listdir('/dev/shm')])")
    exists, _, shared = jail.hear()
    assert (exists, shared) == (False, [])


@on_each_sandbox
def test_it_can_change_nothing_of_the_system(start: Start, sandbox: BubblewrapSandbox) -> None:
    places = ["/", "/usr", "/usr/lib", "/etc", "/dev", "/proc", "/home", "/sys", "/usr/local/bin"]
    places += [str(prefix) for prefix in sandbox.prefixes]
    jail = start(f"say({{top: attempt(lambda: open(top + '/x', 'w').close()) for top in {places!r}}})")
    assert {top for top, error in jail.hear().items() if not error} == set()


def test_it_can_change_nothing_of_the_kernel(start: Start) -> None:
    files = ["/proc/sys/kernel/hostname", "/proc/sys/vm/overcommit_memory", "/proc/sysrq-trigger", "/proc/kcore"]
    jail = start(f"say({{path: attempt(lambda: open(path, 'r+b').close()) for path in {files!r}}})")
    assert {path for path, error in jail.hear().items() if not error} == set()


def test_it_does_not_see_the_workers_keyring(start: Start) -> None:
    assert start("say(attempt(lambda: open('/proc/keys')))").hear() in (errno.EACCES, errno.ENOENT)


@on_each_sandbox
def test_it_writes_in_its_own_folders(start: Start) -> None:
    jail = start("say([attempt(lambda: open(top + '/x', 'w').close()) for top in ('/tmp', '/dev/shm', '.')])")
    assert jail.hear() == [0, 0, 0]


@on_each_sandbox
def test_it_sees_a_mount_read_only_at_its_target(start: Start, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    (tmp_path / "wire.py").write_text("x = 1\n")
    mount = Mount(tmp_path, "/opt/ridgepoint/graders")
    code = (
        "say([open('/opt/ridgepoint/graders/wire.py').read(), attempt(lambda: open('/opt/ridgepoint/graders/y', 'w'))])"
    )
    assert start(code, mounts=(mount,)).hear() == ["x = 1\n", errno.EROFS]


@on_each_sandbox
def test_it_can_not_reach_a_socket_of_the_host(start: Start) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        name = f"\0ridgepoint-test-{os.getpid()}"
        server.bind(name)
        server.listen()
        jail = start(f"say(attempt(lambda: socket.socket(socket.AF_UNIX).connect({name!r})))")
        assert jail.hear() == errno.ECONNREFUSED


def test_it_inherits_exactly_the_given_descriptors(start: Start, tmp_path: Path) -> None:
    """Others of the worker's, even inheritable ones, stay out; the given ones keep their order."""
    (tmp_path / "other").write_text("not for you")
    with (tmp_path / "other").open() as other:
        os.set_inheritable(other.fileno(), True)
        ours, theirs = socket.socketpair()
        first, second = os.pipe()
        code = """
kinds = {int(name): os.readlink("/proc/self/fd/" + name).split(":")[0] for name in os.listdir("/proc/self/fd")
         if os.path.exists("/proc/self/fd/" + name)}
os.write(4, json.dumps(kinds).encode() + b"\\n")
"""
        with ours, theirs:
            jail = start(code, descriptors=(first, theirs.fileno(), second))
            os.close(first)
            os.close(second)
            ours.settimeout(60)
            text = ours.recv(4096).decode()
        jail.jail.kill()
    assert '"3": "pipe", "4": "socket", "5": "pipe"' in text
    assert '"6"' not in text


@on_each_sandbox
def test_two_jails_can_not_signal_each_other(start: Start) -> None:
    victim = start("say('ready'); say(os.read(3, 10).decode())")
    assert victim.hear() == "ready"
    start("say(attempt(lambda: os.kill(-1, 9)))").hear()
    victim.tell("alive")
    assert victim.hear() == "alive"


@on_each_sandbox
def test_two_jails_of_root_have_different_users(start: Start, sandbox: BubblewrapSandbox) -> None:
    first, second = (start("say(os.getuid())").hear() for _ in range(2))
    assert (first != second) == sandbox.privileged  # without root there is only the worker's own user to be
