"""What prime.py compiles is found by every jail of the lab, warm or cold, and can be spoiled by none."""

from __future__ import annotations

import io
import logging
import re
import tarfile
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from graders.bundle import LabBundle
from tests.grading import lab, notebook, outputs, shown, squares
from workers import prepared
from workers.engine import Outcome, grade
from workers.pool import default_pool
from workers.sandbox import default_sandbox
from workers.sandbox.interface import Sandbox

pytestmark = pytest.mark.slow

PRIME = """
import os, pathlib
folder = pathlib.Path("/tmp/compiled/deep")
folder.mkdir(parents=True)
(folder / "small").write_text("short")
(folder / "large").write_text("long" * 50_000)
(folder / "one.lock").touch()
"""
LAB = replace(lab(squares("q1", "f1")), prime=PRIME)


@pytest.fixture(params=["cold", "warm"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    if request.param == "cold":
        yield default_sandbox(settings.LAB_PYTHON)
    else:
        pool = default_pool(settings.LAB_PYTHON)
        yield pool
        pool.close()


def entered(folder: Path) -> Path:
    """A folder that a jail's user may enter."""
    for each in (folder, *list(folder.parents)[:2]):
        each.chmod(each.stat().st_mode | 0o055)
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return entered(tmp_path)


@pytest.fixture(scope="module")
def lasting_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return entered(tmp_path_factory.mktemp("cache"))


def graded(sandbox: Sandbox, cache: Path, *sources: str, bundle: LabBundle = LAB) -> Outcome:
    return grade(
        bundle,
        notebook(*map(textwrap.dedent, sources)),
        seed=1,
        sandbox=sandbox,
        lab_python=settings.LAB_PYTHON,
        cache_dir=cache,
        on_progress=lambda _progress: None,
    )


LOOK = """
import os, pathlib
folder = pathlib.Path("/tmp/compiled/deep")
print({path.name: len(path.read_text()) for path in sorted(folder.iterdir())})
"""
FOUND = "{'large': 200000, 'small': 5}"


def test_every_notebook_finds_what_was_prepared(sandbox: Sandbox, cache: Path) -> None:
    assert FOUND in shown(graded(sandbox, cache, LOOK), 1)


def test_it_may_add_to_it_and_replace_it(sandbox: Sandbox, cache: Path) -> None:
    change = """
        (folder / "small").write_text("shorter")
        (folder / "new").write_text("mine")
        (folder / "large").unlink()
        print(sorted(os.listdir(folder)))
        """
    assert "['new', 'small']" in shown(graded(sandbox, cache, LOOK, change), 2)


def test_nobody_finds_what_another_notebook_changed(sandbox: Sandbox, cache: Path) -> None:
    spoil = """
        for path in [*folder.iterdir(), *pathlib.Path("/opt/ridgepoint/prepared").rglob("*")]:
            try:
                with open(path, "w") as file:
                    file.write("poison")
            except OSError as error:
                print(error.errno)
        """
    outcome = graded(sandbox, cache, LOOK, spoil)
    assert (
        outputs(outcome, 2)[0]["text"].split().count("30") == 3
    )  # EROFS: the large one by its link, and both originals
    assert FOUND in shown(graded(sandbox, cache, LOOK), 1)


def test_it_is_made_once(cache: Path) -> None:
    sandbox = default_sandbox(settings.LAB_PYTHON)
    graded(sandbox, cache, LOOK)
    (folder,) = (path for path in (cache / "prepared").iterdir() if path.is_dir())
    (folder / "compiled/deep/small").write_text("not made again")
    assert "'small': 14" in shown(graded(sandbox, cache, LOOK), 1)


def test_another_prime_makes_another(cache: Path) -> None:
    sandbox = default_sandbox(settings.LAB_PYTHON)
    graded(sandbox, cache, LOOK)
    other = replace(LAB, prime=PRIME.replace("short", "tiny"))
    assert "'small': 4" in shown(graded(sandbox, cache, LOOK, bundle=other), 1)


def test_a_prime_that_fails_costs_no_student_anything(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    broken = replace(LAB, prime="raise RuntimeError('no compiler here')")
    with caplog.at_level(logging.ERROR):
        outcome = graded(default_sandbox(settings.LAB_PYTHON), cache, "def f1(x):\n    return x * x", bundle=broken)
    assert outcome.report.score == 2.0
    assert "no compiler here" in caplog.text
    assert list((cache / "prepared").glob(".new-*")) == []


def test_a_prime_that_failed_is_not_run_for_every_submission(
    cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = replace(LAB, prime="import os\nraise RuntimeError(f'number {os.urandom(8).hex()}')")
    told = []
    for again_s in (prepared.AGAIN_S, prepared.AGAIN_S, 0.0):
        monkeypatch.setattr(prepared, "AGAIN_S", again_s)
        caplog.clear()
        graded(default_sandbox(settings.LAB_PYTHON), cache, "1", bundle=broken)
        told.append(re.findall(r"number \w{16}", caplog.text)[-1])
    assert told[0] == told[1] != told[2]


@pytest.mark.parametrize("name", ["../outside", "/outside", "a/../../outside"])
def test_an_archive_reaches_nothing_outside(name: str, tmp_path: Path) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    archive.seek(0)
    with pytest.raises(tarfile.TarError):
        prepared.unpack(archive, tmp_path / "inside")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_an_archive_holds_plain_files_only(kind: bytes, tmp_path: Path) -> None:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        member = tarfile.TarInfo("name")
        member.type, member.linkname = kind, "/etc/passwd"
        tar.addfile(member)
    archive.seek(0)
    with pytest.raises(tarfile.TarError):
        prepared.unpack(archive, tmp_path / "inside")


def header(kind: bytes, size: int) -> bytes:
    member = tarfile.TarInfo("name")
    member.type, member.size = kind, size
    return member.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_a_header_that_claims_to_be_huge_is_not_read_into_memory(kind: bytes, tmp_path: Path) -> None:
    archive = io.BytesIO(header(kind, 2**40) + bytes(2**20))
    with pytest.raises(tarfile.TarError):
        prepared.unpack(archive, tmp_path / "inside")
    assert archive.tell() < 2**20


def test_an_archive_may_hold_only_so_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MOST_FILES", 3)
    archive = io.BytesIO(header(tarfile.REGTYPE, 0) * 4 + bytes(1024))
    with pytest.raises(tarfile.TarError):
        prepared.unpack(archive, tmp_path)


def test_a_prime_that_sends_slowly_has_no_more_time_than_others(
    cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(prepared, "PRIME_S", 3.0)
    slow = replace(LAB, prime="import os, time\nwhile True:\n    os.write(3, bytes(1))\n    time.sleep(0.1)")
    outcome = graded(default_sandbox(settings.LAB_PYTHON), cache, "def f1(x):\n    return x * x", bundle=slow)
    assert outcome.report.score == 2.0
    assert "timed out" in caplog.text


def test_long_and_foreign_names_arrive(sandbox: Sandbox, cache: Path) -> None:
    name = "ä" * 100
    bundle = replace(LAB, prime=f"open('/tmp/{name}', 'w').close()")
    assert name in shown(graded(sandbox, cache, "import os\nprint(os.listdir('/tmp'))", bundle=bundle), 1)


def test_what_a_killed_worker_had_begun_is_cleared_away(cache: Path) -> None:
    sandbox = default_sandbox(settings.LAB_PYTHON)
    graded(sandbox, cache, LOOK)
    (folder,) = (path for path in (cache / "prepared").iterdir() if path.is_dir())
    folder.rename(folder.with_name(f".new-{folder.name}"))
    (folder.with_name(f".new-{folder.name}") / "half").touch()
    assert FOUND in shown(graded(sandbox, cache, LOOK), 1)
    assert [path for path in (cache / "prepared").iterdir() if path.is_dir()] == [folder]
    assert not (folder / "half").exists()


def test_a_compiled_model_is_not_compiled_again(sandbox: Sandbox, lasting_cache: Path) -> None:
    compile_it = """
        import torch
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU())
        torch.compile(model)(torch.ones(4, 16))
        """
    bundle = replace(
        lab(squares("q1", "f1"), cell_s=250, run_s=280, memory_bytes=4 * 1024**3),
        prime=textwrap.dedent(compile_it),
        imports=("torch", "torch._inductor.compile_fx"),
    )
    count = "from torch._dynamo.utils import counters\nprint(dict(counters['inductor']))"
    counted = shown(graded(sandbox, lasting_cache, compile_it, count, bundle=bundle), 2)
    assert "'fxgraph_cache_hit': 1" in counted
    assert "cache_miss" not in counted
