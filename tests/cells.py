"""Notebooks as text: a docstring with directives, and below it cells that begin at lines `# %%`.

What stands between the docstring and the first cell is Python; a `build` function in it makes what text can't say.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_CELL: Final = re.compile(r"^# %%[ \t]*(.*)$", re.MULTILINE)
_DIRECTIVE: Final = re.compile(r"([a-z]+)(?: ([\w-]+))?:\s*(.*)")


@dataclass(frozen=True)
class Directive:
    """A line `key argument: value`; indented lines below it go on with the value."""

    key: str
    argument: str
    value: str


@dataclass(frozen=True)
class Cell:
    """`title` is what stands behind the `# %%`."""

    title: str
    source: str


@dataclass(frozen=True)
class TextNotebook:
    path: Path
    summary: str
    directives: tuple[Directive, ...]
    cells: tuple[Cell, ...]
    build: Callable[..., Any] | None

    def values(self, key: str, argument: str = "") -> tuple[str, ...]:
        return tuple(each.value for each in self.directives if (each.key, each.argument) == (key, argument))

    def value(self, key: str, default: str = "") -> str:
        """Of a directive that stands at most once."""
        (found,) = self.values(key) or (default,)
        return found

    def by_argument(self, key: str) -> tuple[tuple[str, str], ...]:
        return tuple((each.argument, each.value) for each in self.directives if each.key == key and each.argument)


def read(path: Path, keys: Collection[str]) -> TextNotebook:
    """Raises ValueError where the docstring is missing or a directive unknown: a misspelt one would check nothing."""
    text = path.read_text(encoding="utf-8")
    marks = list(_CELL.finditer(text))
    head = text[: marks[0].start()] if marks else text
    docstring = ast.get_docstring(ast.parse(head))
    if not docstring:
        raise ValueError(f"{path} has no docstring.")
    summary, _, rest = docstring.partition("\n\n")
    ends = [*(mark.start() for mark in marks[1:]), len(text)] if marks else []
    names: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    exec(compile(head, str(path), "exec"), names)  # noqa: S102  our own tests
    return TextNotebook(
        path=path,
        summary=" ".join(summary.split()),
        directives=_directives(path, rest, keys),
        cells=tuple(
            Cell(mark[1].strip(), text[mark.end() : end].strip("\n")) for mark, end in zip(marks, ends, strict=True)
        ),
        build=names.get("build"),
    )


def _directives(path: Path, text: str, keys: Collection[str]) -> tuple[Directive, ...]:
    found: list[Directive] = []
    for line in filter(str.strip, text.splitlines()):
        if line[0].isspace() and found:
            last = found.pop()
            found.append(Directive(last.key, last.argument, f"{last.value} {line.strip()}".strip()))
            continue
        match = _DIRECTIVE.fullmatch(line)
        if match is None or match[1] not in keys:
            raise ValueError(f"{path}: {line!r} is no directive; there are {', '.join(sorted(keys))}.")
        found.append(Directive(match[1], match[2] or "", match[3].strip()))
    return tuple(found)
