"""Attack files, read strictly: a directive that nobody knows is an error, so none is ever without effect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

ATTACKS: Final = Path(__file__).parent / "attacks"
USES: Final = Path(__file__).parent / "uses"
KINDS: Final = (
    *("patching", "comparison", "reading", "forging", "pickles", "protocol"),
    *("resources", "network", "kernel", "leftovers", "reader", "intake", "timing"),
)
ONCE: Final = ("naive", "score", "status", "answers", "lab", "limits", "refused", "render", "uses", "listens", "named")
OFTEN: Final = ("message", "reached", "failed", "page", "never", "note")
ANSWERS: Final = ("wrong", "own", "none")

CELL: Final = re.compile(r"^# %%[ \t]*(.*)$")
DIRECTIVE: Final = re.compile(r"^([a-z]+)(?: (q\d+))?:[ \t]*(.*)$")
Role = Literal["harm", "after", "next"]
ROLES: Final[dict[str, tuple[str, Role]]] = {
    "": ("code", "harm"),
    "[markdown]": ("markdown", "harm"),
    "[raw]": ("raw", "harm"),
    "after": ("code", "after"),
    "next": ("code", "next"),
}


class CorpusError(ValueError):
    """An attack file is not in the format; the message names the file and what to do."""


@dataclass(frozen=True)
class Cell:
    kind: str
    role: Role
    source: str


@dataclass(frozen=True)
class Attack:
    """`score`, `status` and the like are what must come out; README.md says what each directive means."""

    kind: str
    name: str
    title: str
    naive: str
    cells: tuple[Cell, ...]
    lab: str = "standard"
    answers: str = "wrong"
    score: dict[str, float] = field(default_factory=dict)
    status: str = ""
    limits: dict[str, float] = field(default_factory=dict)
    messages: tuple[tuple[str, str], ...] = ()
    reached: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    page: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    render: bool = False
    listens: bool = False
    named: str = ""
    refused: str = ""
    build: str = ""
    """Source of a module whose `build()` gives the submitted file; then there are no cells."""

    @property
    def id(self) -> str:
        return f"{self.kind}/{self.name}"

    def file(self) -> tuple[str, bytes]:
        """The name FILENAME and what `build()` gives."""
        names: dict[str, Any] = {"__name__": self.id, "FILENAME": f"{self.name}.ipynb"}
        exec(compile(self.build, self.id, "exec"), names)  # noqa: S102  an author's own file
        return names["FILENAME"], names["build"]()


def attacks(only: str = "", folder: Path = ATTACKS) -> list[Attack]:
    """Those whose `kind/name` begins with `only`. Raises CorpusError."""
    paths = sorted(folder.glob("*/*.py"))
    return [read(path) for path in paths if f"{path.parent.name}/{path.stem}".startswith(only)]


def read(path: Path) -> Attack:
    """Raises CorpusError."""

    def wrong(sentence: str) -> CorpusError:
        return CorpusError(f"{path.parent.name}/{path.name}: {sentence}")

    if path.parent.name not in KINDS:
        raise wrong(f"there is no kind {path.parent.name}; the kinds are {', '.join(KINDS)}")
    text = path.read_text(encoding="utf-8")
    match = re.match(r'\s*"""(.*?)"""[ \t]*\n', text, re.DOTALL)
    if match is None:
        raise wrong("it must begin with a docstring that says what the attack does")
    title, _, directives = match[1].strip().partition("\n\n")
    try:
        found = _directives(directives)
        cells = (*_helpers(found.pop("uses", "")), *_cells(text[match.end() :]))
        attack = Attack(
            kind=path.parent.name,
            name=path.stem,
            title=" ".join(title.split()),
            cells=cells,
            build="" if cells else text[match.end() :],
            **found,
        )
        _check(attack)
    except CorpusError as error:
        raise wrong(str(error)) from None
    return attack


def _directives(text: str) -> dict[str, Any]:
    once: dict[str, str] = {}
    often: dict[str, list[str]] = {name: [] for name in OFTEN}
    messages: list[tuple[str, str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        match = DIRECTIVE.match(line)
        if match is None:
            raise CorpusError(f"{line!r} is no directive: write `name: value`, each on one line")
        name, question, value = match.groups()
        if not value:
            raise CorpusError(f"{name}: needs a value")
        if question and name != "message":
            raise CorpusError(f"only `message` names a question, {name} doesn't")
        if name == "message":
            if not question:
                raise CorpusError("message needs a question: `message q2: text`")
            messages.append((question, value))
        elif name in OFTEN:
            often[name].append(value)
        elif name not in ONCE:
            raise CorpusError(f"there is no directive {name}; those that are: {', '.join(sorted((*ONCE, *OFTEN)))}")
        elif name in once:
            raise CorpusError(f"{name} stands twice")
        else:
            once[name] = value
    if "naive" not in once:
        raise CorpusError("say what a naive grader gives: `naive: 2/2, because ...`")
    return {
        **once,
        "score": _numbers(once.get("score", "")),
        "limits": _numbers(once.get("limits", "")),
        "render": _yes(once, "render"),
        "listens": _yes(once, "listens"),
        "messages": tuple(messages),
        "notes": tuple(often.pop("note")),
        **{name: tuple(lines) for name, lines in often.items() if name != "message"},
    }


def _numbers(text: str) -> dict[str, float]:
    numbers = {}
    for item in text.split():
        name, _, value = item.partition("=")
        try:
            numbers[name] = float(value)
        except ValueError:
            raise CorpusError(f"{item!r} is no pair like q1=2") from None
    return numbers


def _yes(once: dict[str, str], name: str) -> bool:
    if once.get(name, "yes") != "yes":
        raise CorpusError(f"{name} takes only the value yes")
    return name in once


def _cells(text: str) -> Iterator[Cell]:
    current: tuple[str, Role] | None = None
    lines: list[str] = []
    for line in text.splitlines():
        match = CELL.match(line)
        if match is None:
            if current is not None:
                lines.append(line)
            continue
        if current is not None:
            yield Cell(*current, _source(current[0], lines))
        if match[1].strip() not in ROLES:
            raise CorpusError(f"there is no cell of kind {match[1].strip()!r}")
        current, lines = ROLES[match[1].strip()], []
    if current is not None:
        yield Cell(*current, _source(current[0], lines))


def _helpers(names: str) -> Iterator[Cell]:
    """What several attacks share stands in a cell of its own before theirs."""
    for name in names.split():
        path = USES / f"{name}.py"
        if not path.is_file():
            raise CorpusError(f"uses names {name}, and there is no {path.parent.name}/{path.name}")
        yield Cell("code", "harm", path.read_text(encoding="utf-8").strip())


def _source(kind: str, lines: list[str]) -> str:
    """Text other than code is commented out, as in Jupytext's percent format."""
    if kind != "code":
        lines = [re.sub(r"^# ?", "", line) for line in lines]
    return "\n".join(lines).strip("\n")


def _check(attack: Attack) -> None:
    if attack.answers not in ANSWERS:
        raise CorpusError(f"answers is one of {', '.join(ANSWERS)}")
    if attack.status not in ("", "complete", "partial"):
        raise CorpusError("status is complete or partial")
    if attack.build and not re.search(r"^def build\(", attack.build, re.MULTILINE):
        raise CorpusError("it has neither cells (`# %%`) nor a function build()")
    if attack.refused and not attack.build:
        raise CorpusError("only a file made by build() can be refused")
    if not (attack.reached or attack.failed or attack.messages or attack.notes or attack.build):
        raise CorpusError("say how it shows that the attack took place: reached, failed, message or note")
