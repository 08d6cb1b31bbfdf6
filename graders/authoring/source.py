"""A course as its folder has it: everything read once, with all that is wrong with it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from graders.authoring.faults import Fault, FaultList
from graders.authoring.master import Master, MasterFaults, Place, read_master
from graders.authoring.schema import SLUG, CourseSpec, LabSpec, read_course, read_lab

MAX_DATA_BYTES: Final = 64 * 1024
_MAX_TEXT_BYTES: Final = 4 * 1024 * 1024
_HEADER: Final = re.compile(r"# (question|mistake): (.*\S)")


@dataclass(frozen=True)
class Wrong:
    """A planted wrong solution: `code`, which the file has under its header, stands in place of `question`'s answer."""

    file: str
    question: str
    mistake: str
    code: str


@dataclass(frozen=True)
class LabSource:
    """`folder` is relative to the course's folder; `files` are the lab's data by path below `folder`.

    `prime` is the text of `prime.py`, empty where there is none.
    """

    name: str
    folder: str
    spec: LabSpec
    master: Master
    master_text: str
    instructions: str
    wrongs: tuple[Wrong, ...]
    files: Mapping[str, bytes]
    prime: str = ""

    def fault_in_master(self, place: Place, message: str) -> Fault:
        faults = FaultList(f"{self.folder}/master.ipynb")
        MasterFaults(self.master_text, faults).add(place, message)
        return faults.faults[0]


@dataclass(frozen=True)
class CourseSource:
    """`labs` holds those that can be read at all, `lessons` Markdown by name, in the order of the modules."""

    slug: str
    folder: Path
    spec: CourseSpec
    labs: Mapping[str, LabSource]
    lessons: Mapping[str, str]


def missing_course(courses_dir: Path, slug: str) -> Fault | None:
    if SLUG.fullmatch(slug) and (courses_dir / slug / "course.yaml").is_file():
        return None
    known = ", ".join(sorted(path.parent.name for path in courses_dir.glob("*/course.yaml"))) or "none"
    return Fault("course.yaml", 1, f"There is no course {slug!r} in {courses_dir.name}/; those that are: {known}.")


def read_source(courses_dir: Path, slug: str) -> tuple[CourseSource | None, list[Fault]]:
    """None when there is nothing to go on with; the faults never stop the reading of what else there is."""
    if missing := missing_course(courses_dir, slug):
        return None, [missing]
    folder = courses_dir / slug
    faults = FaultList("course.yaml")
    spec = read_course(_text(folder / "course.yaml", faults), faults)
    if spec is None:
        return None, faults.faults
    lessons = dict(_lessons(folder, spec, faults))
    labs = {}
    for module in spec.modules:
        for name in module.labs:
            if not (folder / "labs" / name).is_dir():
                faults.add(
                    module.line, f"The module {module.id!r} lists the lab {name!r}, but labs/{name}/ is missing."
                )
                continue
            lab, lab_faults = read_lab_source(folder, name)
            faults.extend(lab_faults)
            if lab is not None:
                labs[name] = lab
    for path in sorted((folder / "labs").glob("*/lab.yaml")):
        if path.parent.name not in spec.labs:
            faults.add(1, f"No module lists the lab {path.parent.name!r}: list it or remove its folder.")
    _check_outcomes(spec, labs, faults)
    _check_grading(spec, faults)
    return CourseSource(slug, folder, spec, labs, lessons), faults.faults


def read_lab_source(course: Path, name: str) -> tuple[LabSource | None, list[Fault]]:
    folder = f"labs/{name}"
    faults: list[Fault] = []
    texts: dict[str, str] = {}
    for file in ("lab.yaml", "master.ipynb", "instructions.md"):
        own = FaultList(f"{folder}/{file}")
        texts[file] = _text(course / folder / file, own)
        faults.extend(own.faults)
    if faults:
        return None, faults
    about_lab, about_master = FaultList(f"{folder}/lab.yaml"), FaultList(f"{folder}/master.ipynb")
    spec = read_lab(texts["lab.yaml"], about_lab)
    master = read_master(texts["master.ipynb"], about_master)
    if spec is not None and master is not None:
        _compare(spec, master, about_lab)
    wrongs = tuple(_wrongs(course, folder, master, faults))
    files = dict(_data(course, folder, faults))
    prime = _prime(course, folder, faults)
    found = [*about_lab.faults, *about_master.faults, *faults]
    if spec is None or master is None:
        return None, found
    lab = LabSource(name, folder, spec, master, texts["master.ipynb"], texts["instructions.md"], wrongs, files, prime)
    planted = {wrong.question for wrong in wrongs}
    found += [
        lab.fault_in_master(question.place, f"Question {question.name} has no planted wrong solution in wrong/.")
        for question in master.questions
        if question.name not in planted
    ]
    return lab, found


def _text(path: Path, faults: FaultList) -> str:
    try:
        if path.stat().st_size > _MAX_TEXT_BYTES:
            faults.add(1, f"The file has more than {_MAX_TEXT_BYTES} bytes: make it smaller.")
            return ""
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        faults.add(1, "The file is missing: add it.")
        return ""
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        faults.add(line, "The file is not UTF-8 text: save it as UTF-8.")
        return ""
    if not text.strip():
        faults.add(1, "The file is empty.")
    return text


def _lessons(folder: Path, spec: CourseSpec, faults: FaultList) -> Iterator[tuple[str, str]]:
    listed = [(name, module) for module in spec.modules for name in module.lessons]
    for name, module in listed:
        if not (folder / "lessons" / f"{name}.md").is_file():
            faults.add(
                module.line, f"The module {module.id!r} lists the lesson {name!r}: lessons/{name}.md is missing."
            )
            continue
        own = FaultList(f"lessons/{name}.md")
        yield name, _text(folder / "lessons" / f"{name}.md", own)
        faults.extend(own.faults)
    for path in sorted((folder / "lessons").glob("*.md")):
        if path.stem not in {name for name, _ in listed}:
            faults.add(1, f"No module lists the lesson {path.stem!r}: list it or remove the file.")


def _check_outcomes(spec: CourseSpec, labs: Mapping[str, LabSource], faults: FaultList) -> None:
    known = {outcome.id for outcome in spec.outcomes}
    tested: set[str] = set()
    for lab in labs.values():
        for question in lab.spec.questions:
            tested.update(question.outcomes)
            for unknown in sorted(set(question.outcomes) - known):
                message = f"Question {question.name} names an outcome {unknown!r} that course.yaml lacks."
                faults.extend([Fault(f"{lab.folder}/lab.yaml", question.line, message)])
    for outcome in spec.outcomes:
        if outcome.id and outcome.id not in tested:
            faults.add(outcome.line, f"No lab question tests the outcome {outcome.id!r}: name it in a lab.yaml.")


def _check_grading(spec: CourseSpec, faults: FaultList) -> None:
    items = {"labs": bool(spec.labs), "quizzes": False}
    for kind, weight in spec.grading.items():
        if weight and not items[kind]:
            faults.add(spec.grading_line, f"grading gives {weight:g} percent to {kind}, and the course has none.")


def _compare(spec: LabSpec, master: Master, faults: FaultList) -> None:
    listed = {question.name: question.line for question in spec.questions}
    made = [question.name for question in master.questions]
    for name in made:
        if name and name not in listed:
            faults.add(1, f"master.ipynb has a question {name!r} that lab.yaml lacks: give it a title and outcomes.")
    for name, line in listed.items():
        if name not in made:
            faults.add(line, f"lab.yaml has a question {name!r} that master.ipynb lacks.")
    if set(listed) == set(made) and list(listed) != made:
        faults.add(min(listed.values()), f"List the questions in the notebook's order: {', '.join(made)}.")


def _wrongs(course: Path, folder: str, master: Master | None, faults: list[Fault]) -> Iterator[Wrong]:
    names = [question.name for question in master.questions] if master else []
    for path in sorted((course / folder / "wrong").glob("*.py")):
        own = FaultList(f"{folder}/wrong/{path.name}")
        text = _text(path, own)
        header = {match[1]: match[2] for match in map(_HEADER.fullmatch, text.split("\n")[:2]) if match}
        if set(header) != {"question", "mistake"}:
            own.add(1, "Start with two lines, `# question: q1` and `# mistake: what it gets wrong`.")
        elif names and header["question"] not in names:
            own.add(1, f"There is no question {header['question']!r}; those that are: {', '.join(names)}.")
        try:
            code = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            own.add(getattr(error, "lineno", 1) or 1, f"This is not valid Python: {error}.")
        else:
            if not code.body:
                own.add(1, "There is no code under the header.")
            if not own.faults:
                answer = text.split("\n", 2)[2].strip("\n")
                yield Wrong(own.file, header["question"], header["mistake"], answer)
        faults.extend(own.faults)


def _prime(course: Path, folder: str, faults: list[Fault]) -> str:
    path = course / folder / "prime.py"
    if not path.exists():
        return ""
    own = FaultList(f"{folder}/prime.py")
    text = _text(path, own)
    try:
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        own.add(getattr(error, "lineno", 1) or 1, f"This is not valid Python: {error}.")
    faults.extend(own.faults)
    return text


def _data(course: Path, folder: str, faults: list[Fault]) -> Iterator[tuple[str, bytes]]:
    for path in sorted((course / folder / "data").rglob("*")):
        name = path.relative_to(course / folder).as_posix()
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            faults.append(Fault(f"{folder}/{name}", 1, "Only plain files may stand in data/."))
        elif path.is_file():
            content = path.read_bytes()
            if len(content) > MAX_DATA_BYTES:
                message = (
                    f"The file has {len(content)} bytes; {MAX_DATA_BYTES} fit into a notebook that needs no other."
                )
                faults.append(Fault(f"{folder}/{name}", 1, message))
            yield name, content
