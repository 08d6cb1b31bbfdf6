"""What a grader needs of one lab, compiled once at publication: plain data, addressed by its own hash."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from graders.fields import Fields, parse_json

BUNDLE_VERSION: Final = 1
MAX_FILES: Final = 1_000
MAX_TEXT_CHARS: Final = 100_000_000
GIB: Final = 1024**3
MIB: Final = 1024**2

MODULE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)

_LATER: Final = ("imports", "prime")
_SECONDS: Final = ("cell_s", "run_s", "test_s")
_COUNTS: Final = ("memory_bytes", "pids", "tmp_bytes", "output_bytes", "notebook_bytes")


class BundleError(ValueError):
    """The bytes are not a lab bundle of this version."""


@dataclass(frozen=True)
class LabLimits:
    """What one grading run may use. Seconds and bytes."""

    cell_s: float = 60.0
    run_s: float = 300.0
    test_s: float = 30.0
    memory_bytes: int = 3 * GIB
    pids: int = 256
    tmp_bytes: int = 512 * MIB
    output_bytes: int = 2 * MIB
    notebook_bytes: int = 20 * MIB


@dataclass(frozen=True)
class Question:
    """`tests` is the source of one otter-grader test file, public and hidden cases together."""

    name: str
    title: str
    points: float
    tests: str


@dataclass(frozen=True)
class LabBundle:
    """One lab of one published course version.

    `library` holds Python sources by path (`labkit/roofline.py`), importable in both jails. `files` are data
    files that lie in the notebook's working directory. `starter` and `solution` are .ipynb texts. `imports` names
    modules that both jails' processes import before anything else, so that they can be forked from one that has.
    `prime` is Python that compiles, once for everybody, what each student's process would have to compile.
    """

    lab: str
    title: str
    questions: tuple[Question, ...]
    starter: str
    solution: str
    limits: LabLimits = field(default_factory=LabLimits)
    library: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    prime: str = ""

    @property
    def max_score(self) -> float:
        return sum(question.points for question in self.questions)

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON: the bundle's identity."""
        return hashlib.sha256(self.to_json()).hexdigest()

    def to_json(self) -> bytes:
        """Canonical JSON. Raises BundleError when a number or text has no form in JSON."""
        data: dict[str, Any] = asdict(self)
        data["files"] = {path: base64.b64encode(content).decode() for path, content in self.files.items()}
        data["version"] = BUNDLE_VERSION
        for name in _LATER:
            if not data[name]:
                del data[name]  # so that bundles from before there was one keep their identity
        for question in data["questions"]:
            question["points"] = float(question["points"])  # 1 and 1.0 are one identity
        for name in _SECONDS:
            data["limits"][name] = float(data["limits"][name])
        try:
            return json.dumps(data, sort_keys=True, allow_nan=False).encode()
        except ValueError as error:
            raise BundleError(f"The lab bundle can't be written: {error}.") from error

    @classmethod
    def from_json(cls, data: bytes) -> LabBundle:
        """Raises BundleError when the bytes are not a bundle that `to_json` wrote."""
        fields = Fields(parse_json(data, "The lab bundle", BundleError), "bundle", BundleError)
        if fields.integer("version", 1, 1_000) != BUNDLE_VERSION:
            raise BundleError("The bundle has a version that this program does not know: publish the course again.")
        bundle = cls(
            lab=fields.text("lab", 200),
            title=fields.text("title", 300),
            questions=tuple(_question(item) for item in fields.items("questions", 200)),
            starter=fields.text("starter", MAX_TEXT_CHARS),
            solution=fields.text("solution", MAX_TEXT_CHARS),
            limits=_limits(fields.value("limits")),
            library=_paths(fields.texts("library", most=MAX_FILES, key_chars=300, chars=MAX_TEXT_CHARS)),
            files={
                path: _decoded(content, path)
                for path, content in _paths(
                    fields.texts("files", most=MAX_FILES, key_chars=300, chars=MAX_TEXT_CHARS)
                ).items()
            },
            imports=tuple(_module(name) for name in fields.items("imports", 50)) if "imports" in fields else (),
            prime=fields.text("prime", MAX_TEXT_CHARS) if "prime" in fields else "",
        )
        fields.end()
        if len({question.name for question in bundle.questions}) < len(bundle.questions):
            raise BundleError("Two questions of the bundle have the same name.")
        return bundle


def _question(raw: object) -> Question:
    fields = Fields(raw, "question", BundleError)
    question = Question(
        name=fields.text("name", 100),
        title=fields.text("title", 300),
        points=fields.number("points"),
        tests=fields.text("tests", MAX_TEXT_CHARS),
    )
    fields.end()
    return question


def _module(name: object) -> str:
    if not isinstance(name, str) or not MODULE.fullmatch(name):
        raise BundleError(f"{str(name)[:100]!r} is not the name of a module.")
    return name


def _limits(raw: object) -> LabLimits:
    fields = Fields(raw, "limits", BundleError)
    values: dict[str, Any] = {name: fields.number(name) for name in _SECONDS}
    if not all(values.values()):
        raise BundleError("A limit of the bundle is 0 seconds.")
    values |= {name: fields.integer(name, 1, 2**50) for name in _COUNTS}
    fields.end()
    return LabLimits(**values)


def _paths(by_path: Mapping[str, str]) -> dict[str, str]:
    """Refuses every path that could lead out of the folder that the files are put into."""
    for path in by_path:
        parts = path.split("/")
        if not all(parts) or {".", ".."} & set(parts) or not path.isprintable() or "\\" in path:
            raise BundleError(f"{path[:100]!r} is not a relative path of a file in the bundle.")
    return dict(by_path)


def _decoded(content: str, path: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except ValueError as error:
        raise BundleError(f"The file {path} of the bundle is not Base64.") from error
