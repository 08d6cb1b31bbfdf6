"""The tools that grading is compared with, each as its users run it, in an environment that has a Jupyter kernel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

from graders.bundle import LabBundle
from tests.load import labs

ROOT: Final = Path(__file__).resolve().parents[2]
PYTHON: Final = ROOT / ".benchenv" / "bin" / "python"


class PeerFailed(RuntimeError):
    """It can't do this here; the message says what it said."""


class Peer(Protocol):
    def run(self) -> float:
        """Seconds, from a notebook in a file to its result.

        Raises:
            PeerFailed: there was none, or not full marks.
        """

    def close(self) -> None: ...


class Material:
    """A folder with the notebook and its tests, as the others want them."""

    def __init__(self, bundle: LabBundle, notebook: bytes) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ridgepoint-bench-")
        self.folder = Path(self._folder.name)
        self.max_score = bundle.max_score
        self.notebook = self.folder / "notebook.ipynb"
        self.autograder = self.folder / "autograder.zip"
        self.notebook.write_bytes(notebook)
        labs.autograder(bundle, self.autograder)
        for name, content in bundle.files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(content)
        library = self.folder / "library"
        for name, source in bundle.library.items():
            (library / name).parent.mkdir(parents=True, exist_ok=True)
            (library / name).write_text(source)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "IPYTHONDIR": str(self.folder),
            "MPLBACKEND": "agg",
            "PYTHONPATH": str(library),
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def bare(self, lab_python: Path, imports: tuple[str, ...]) -> dict[str, float]:
        """The cells in a plain process of the lab's interpreter that has made the imports: see bare.py."""
        # -P: modules that stand beside bare.py must not pass for the standard library's, as queue.py would.
        done = subprocess.run(
            [lab_python, "-P", Path(__file__).with_name("bare.py"), self.notebook, *imports],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"The cells fail outside the jails:\n{done.stderr[-2000:]}")
        found: dict[str, float] = json.loads(done.stdout)
        return found


class OtterRun:
    """`otter run`, as a teacher types it for one notebook."""

    def __init__(self, material: Material, python: Path = PYTHON) -> None:
        self._material = material
        self._otter = python.with_name("otter")

    def run(self) -> float:
        material = self._material
        with tempfile.TemporaryDirectory(dir=material.folder) as results:
            command = [self._otter, "run", "--autograder", material.autograder, "--output-dir", results, "--no-logo"]
            started = time.perf_counter()
            try:
                done = subprocess.run(
                    [*command, material.notebook],
                    cwd=material.folder,
                    env=material.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    check=False,
                )
            except OSError as error:
                raise PeerFailed(f"{self._otter} can't be run ({error.strerror}): make bench installs it") from error
            took = time.perf_counter() - started
            if done.returncode:
                raise PeerFailed(f"otter run ended with status {done.returncode}: {_last_line(done.stdout)}")
            _check(otter_score(json.loads((Path(results) / "results.json").read_text())), material)
        return took

    def close(self) -> None:
        pass


class Resident:
    """A tool in a process that stays, so that its own imports are not counted: see peer.py."""

    def __init__(self, tool: str, material: Material, python: Path = PYTHON) -> None:
        self._tool = tool
        self._material = material
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed in close()
        try:
            self._process: subprocess.Popen[str] | None = subprocess.Popen(
                [python, "-P", Path(__file__).with_name("peer.py"), tool, material.notebook, material.autograder],
                cwd=material.folder,
                env=material.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
            )
        except OSError:
            self._process = None

    def run(self) -> float:
        process = self._process
        if process is None:
            raise PeerFailed("its interpreter is not there: make bench installs it")
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write("run\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            process.wait()
            self._log.seek(0)
            raise PeerFailed(f"it ended with status {process.returncode}: {_last_line(self._log.read())}")
        answer = json.loads(line)
        if answer["score"] is not None:
            _check(answer["score"], self._material)
        whole: float = answer["whole_s"]
        return whole

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()
        self._log.close()


def all_of(material: Material) -> dict[str, Peer]:
    return {
        "otter run": OtterRun(material),
        "otter's grade_submission": Resident("otter", material),
        "nbclient": Resident("nbclient", material),
    }


def otter_score(results: Mapping[str, list[Mapping[str, object]]]) -> float:
    """The points in a results.json of otter-grader's."""
    return sum(float(str(test["score"])) for test in results["tests"] if test.get("score") is not None)


def _check(score: float, material: Material) -> None:
    if score < material.max_score:
        raise PeerFailed(f"it gave {score:g} of {material.max_score:g} points to right answers")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["nothing"])[-1][-200:]
