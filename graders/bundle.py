"""What a grader needs of one lab, compiled once at publication: plain data, addressed by its own hash."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

BUNDLE_VERSION: Final = 1
GIB: Final = 1024**3
MIB: Final = 1024**2


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
    files that lie in the notebook's working directory. `starter` and `solution` are .ipynb texts.
    """

    lab: str
    title: str
    questions: tuple[Question, ...]
    starter: str
    solution: str
    limits: LabLimits = field(default_factory=LabLimits)
    library: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def max_score(self) -> float:
        return sum(question.points for question in self.questions)

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON: the bundle's identity."""
        return hashlib.sha256(self.to_json()).hexdigest()

    def to_json(self) -> bytes:
        data: dict[str, Any] = asdict(self)
        data["files"] = {path: base64.b64encode(content).decode() for path, content in self.files.items()}
        data["version"] = BUNDLE_VERSION
        return json.dumps(data, sort_keys=True, allow_nan=False).encode()

    @classmethod
    def from_json(cls, data: bytes) -> LabBundle:
        """Raises BundleError when the bytes are not a bundle that `to_json` wrote."""
        try:
            raw = json.loads(data)
            if raw.pop("version") != BUNDLE_VERSION:
                raise BundleError("The bundle has a version that this program does not know: publish the course again.")
            raw["questions"] = tuple(Question(**question) for question in raw["questions"])
            raw["limits"] = LabLimits(**raw["limits"])
            raw["files"] = {path: base64.b64decode(text, validate=True) for path, text in raw["files"].items()}
            return cls(**raw)
        except BundleError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BundleError(f"The bytes are not a lab bundle: {error}.") from error
