"""One lab's folder made into the bundle that graders use. Cached by content."""

from __future__ import annotations

import contextlib
import json
import os
import select
import time
from pathlib import Path
from typing import Any, Final

from graders.authoring import notebooks, testfile
from graders.authoring.faults import CourseFaults, Fault, FaultList
from graders.authoring.schema import SLUG
from graders.authoring.setup_cell import setup_source
from graders.authoring.source import LabSource, missing_course, read_lab_source
from graders.bundle import GIB, MIB, BundleError, LabBundle, Question
from workers.publishing.workshop import ROOT, Workshop, code_of, fingerprint, store
from workers.sandbox.interface import JailLimits, JailSpec, Mount

_ASSIGN_S: Final = 120.0
_HOME: Final = "/opt/ridgepoint"
_LIMITS: Final = JailLimits(memory_bytes=2 * GIB, pids=64, tmp_bytes=64 * MIB, cpu_s=int(_ASSIGN_S))


class AssignFailed(RuntimeError):
    """The jail that generates the notebooks gave no answer: this machine's fault, not the author's."""


class UnknownLab(CourseFaults):
    """No course or no lab has this name."""


def compile_lab(workshop: Workshop, slug: str, lab: str) -> LabBundle:
    """Raises UnknownLab, CourseFaults with all that is wrong with this lab, and AssignFailed."""
    if missing := missing_course(workshop.courses_dir, slug):
        raise UnknownLab([missing])
    folder = workshop.courses_dir / slug / "labs"
    if not SLUG.fullmatch(lab) or not (folder / lab).is_dir():
        known = ", ".join(sorted(path.parent.name for path in folder.glob("*/lab.yaml"))) or "none"
        raise UnknownLab(
            [Fault("course.yaml", 1, f"The course {slug!r} has no lab {lab!r}; those that it has: {known}.")]
        )
    source, faults = read_lab_source(workshop.courses_dir / slug, lab)
    if faults or source is None:
        raise CourseFaults(faults)
    return compile_source(workshop, slug, source)


def compile_source(workshop: Workshop, slug: str, source: LabSource) -> LabBundle:
    """As `compile_lab`, from a source without faults."""
    path = workshop.cache_dir / "labs" / f"{_key(workshop, slug, source)}.json"
    with contextlib.suppress(OSError, BundleError):
        return LabBundle.from_json(path.read_bytes())
    bundle = _build(workshop, f"{slug}/{source.name}", source)
    store(path, bundle.to_json())
    return bundle


def _key(workshop: Workshop, slug: str, source: LabSource) -> str:
    return fingerprint(
        [
            slug,
            source.name,
            repr(source.spec),
            source.master_text,
            source.prime,
            *(part for item in workshop.library.items() for part in item),
            *(part for item in source.files.items() for part in item),
            code_of(ROOT / "graders" / "authoring", ROOT / "graders" / "bundle.py", Path(__file__)),
            *(name for name in workshop.lab_packages if name.startswith(("otter", "nbformat"))),
        ]
    )


def _build(workshop: Workshop, lab: str, source: LabSource) -> LabBundle:
    made = assign(workshop, source.master_text)
    if "error" in made:
        raise CourseFaults([Fault(f"{source.folder}/master.ipynb", 1, str(made["error"]))])
    tests: dict[str, str] = made["tests"]
    faults = FaultList(f"{source.folder}/master.ipynb")
    _compare_tests(source, tests, faults)
    public = {question: testfile.public_part(text) for question, text in tests.items()}
    titles = {question.name: question.title for question in source.spec.questions}
    questions = tuple(
        Question(name, titles[name], sum(case.points for case in testfile.cases(text)), text)
        for name, text in tests.items()
    )
    unfinished = LabBundle(
        lab=lab,
        title=source.spec.title,
        questions=questions,
        starter="",
        solution="",
        limits=source.spec.limits,
        library=workshop.library,
        files=source.files,
        imports=source.spec.imports,
        prime=source.prime,
    )
    setup = setup_source(lab, public, workshop.library, _library_version(workshop), source.files)
    made_notebooks = {
        name: notebooks.finish(made[name], lab=lab, bundle=unfinished.digest[:12], setup=setup)
        for name in ("starter", "solution")
    }
    for name, notebook in made_notebooks.items():
        _check_secrets(name, notebook, tests, faults)
    if faults.faults:
        raise CourseFaults(faults.faults)
    texts = {name: notebooks.text_of(notebook) for name, notebook in made_notebooks.items()}
    return LabBundle(**{**vars(unfinished), **texts})


def _compare_tests(source: LabSource, tests: dict[str, str], faults: FaultList) -> None:
    """What otter collected must be what the outline says, and what students get exactly its public cases."""
    expected = {
        question.name: [(test.name, test.function, test.hidden, test.points) for test in question.tests]
        for question in source.master.questions
    }
    found = {
        name: [(case.name, case.function, case.hidden, case.points) for case in testfile.cases(text)]
        for name, text in tests.items()
    }
    if found != expected:
        faults.add(1, "otter-grader collected other tests than this notebook's outline has: check its raw cells.")
    for name, text in tests.items():
        public = [case.tree for case in testfile.cases(text) if not case.hidden]
        if [case.tree for case in testfile.cases(testfile.public_part(text))] != public:
            faults.add(1, f"The public tests of {name} can't be parted from the hidden ones: keep them apart.")


def _check_secrets(name: str, notebook: notebooks.Notebook, tests: dict[str, str], faults: FaultList) -> None:
    text = notebooks.sources(notebook)
    for question, source in tests.items():
        for leaked in testfile.leaks(text, source):
            faults.add(
                1, f"The {name} shows text of the hidden test {leaked!r} of {question}: take it out of the cells."
            )


def _library_version(workshop: Workshop) -> str:
    for line in workshop.library.get("labkit/__init__.py", "").split("\n"):
        if line.startswith("__version__ = "):
            return line.split("=", 1)[1].strip().strip("\"'")
    raise CourseFaults([Fault("labkit/__init__.py", 1, 'labkit lacks a line `__version__ = "…"`: add it.')])


def assign(workshop: Workshop, master: str) -> dict[str, Any]:
    """Run otter's assign machinery on the notebook, in a jail of the lab environment."""
    graders = ROOT / "graders"
    ours, theirs = os.pipe()
    try:
        jail = workshop.sandbox.start(
            JailSpec(
                name="assign",
                argv=(str(workshop.lab_python), "-m", "graders.authoring.assign"),
                limits=_LIMITS,
                mounts=(
                    Mount(graders / "__init__.py", f"{_HOME}/graders/__init__.py"),
                    Mount(graders / "authoring", f"{_HOME}/graders/authoring"),
                ),
                files={"master.ipynb": master.encode()},
                env={"PYTHONPATH": _HOME, "PYTHONDONTWRITEBYTECODE": "1"},
                descriptors=(theirs,),
            )
        )
    finally:
        os.close(theirs)
    try:
        data = _read_frame(ours, time.monotonic() + _ASSIGN_S)
    finally:
        os.close(ours)
        ending = jail.kill()
    if data is None:
        raise AssignFailed(f"The jail that generates the notebooks ended ({ending.kind}): {jail.stderr_tail()[-500:]}")
    result: dict[str, Any] = json.loads(data)
    return result


def _read_frame(descriptor: int, deadline: float) -> bytes | None:
    """Eight bytes of length and that many bytes; None when they don't come in time or are too many."""
    data = b""
    while time.monotonic() < deadline:
        if not select.select([descriptor], [], [], 0.1)[0]:
            continue
        piece = os.read(descriptor, 1 << 20)
        data += piece
        if len(data) >= 8:
            size = int.from_bytes(data[:8], "big")
            if size > notebooks.MAX_RESULT_BYTES:
                return None
            if len(data) >= 8 + size:
                return data[8 : 8 + size]
        if not piece:
            return None
    return None
