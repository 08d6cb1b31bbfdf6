"""Reads YAML strictly: each value by name and type, each fault with its line, nothing guessed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import yaml

from graders.authoring.faults import FaultList

TITLE_CHARS: Final = 300
PROSE_CHARS: Final = 4_000

_TAG: Final = "tag:yaml.org,2002:"
_BYTES: Final = re.compile(r"(\d+(?:\.\d+)?) ?(KiB|MiB|GiB)")
_UNITS: Final = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}


def line_of(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def read_mapping(text: str, faults: FaultList, what: str) -> Fields | None:
    """The file's top-level mapping, or None with a fault when there is none."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        faults.add(mark.line + 1 if mark else 1, f"This is not valid YAML: {problem}.")
        return None
    if not isinstance(node, yaml.MappingNode):
        faults.add(1, f"{what} must be a mapping of names to values.")
        return None
    return Fields(node, what, faults)


class Fields:
    """The fields of one mapping. A faulty or missing value is reported and read as an empty one."""

    def __init__(self, node: yaml.Node, what: str, faults: FaultList) -> None:
        self.line = line_of(node)
        self.what = what
        self._faults = faults
        self._nodes: dict[str, yaml.Node] = {}
        self._lines: dict[str, int] = {}
        self._taken: set[str] = set()
        if not isinstance(node, yaml.MappingNode):
            faults.add(self.line, f"{what} must be a mapping of names to values.")
            return
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            if name in self._nodes:
                faults.add(line_of(key), f"{what} has {name!r} twice: keep one.")
            self._nodes[name] = value
            self._lines[name] = line_of(key)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._nodes)

    def line_of(self, name: str) -> int:
        return self._lines.get(name, self.line)

    def fault(self, name: str, message: str) -> None:
        self._faults.add(self.line_of(name), message)

    def text(self, name: str, most: int = TITLE_CHARS, *, required: bool = True) -> str:
        node = self._take(name, required)
        if node is None:
            return ""
        value = _scalar(node, "str")
        if value is None or not value.strip():
            self.fault(name, f"{self.what}: {name} must be text; a number or a yes needs quotes.")
            return ""
        if len(value) > most:
            self.fault(name, f"{self.what}: {name} has {len(value)} characters; {most} are allowed.")
        return value.strip()

    def number(self, name: str, least: float, most: float, *, default: float | None = None) -> float:
        node = self._take(name, default is None)
        if node is None:
            return default or 0.0
        raw = _scalar(node, "int", "float")
        try:
            value = float(raw.replace("_", "")) if raw is not None else None
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            self.fault(name, f"{self.what}: {name} must be a number from {least:g} to {most:g}.")
            return default or 0.0
        return value

    def size(self, name: str, least: int, most: int, *, default: int) -> int:
        """Bytes, written as an integer or as in `512 MiB`."""
        node = self._take(name, False)
        if node is None:
            return default
        raw = _scalar(node, "int", "str") or ""
        match = _BYTES.fullmatch(raw)
        value = int(float(match[1]) * _UNITS[match[2]]) if match else int(raw) if raw.isdigit() else None
        if value is None or not least <= value <= most:
            self.fault(name, f"{self.what}: {name} must be bytes, as 512 MiB, from {least} to {most}.")
            return default
        return value

    def truth(self, name: str) -> bool:
        node = self._take(name, True)
        value = _scalar(node, "bool") if node is not None else None
        if value is None or value.lower() not in ("true", "false"):
            self.fault(name, f"{self.what}: {name} must be true or false.")
        return value is not None and value.lower() == "true"

    def texts(self, name: str, *, required: bool = True) -> tuple[str, ...]:
        found = []
        for node in self._sequence(name, required):
            value = _scalar(node, "str")
            if value is None or not value.strip():
                self._faults.add(line_of(node), f"{self.what}: each of {name} must be text.")
            elif value in found:
                self._faults.add(line_of(node), f"{self.what}: {name} has {value!r} twice: keep one.")
            else:
                found.append(value)
        return tuple(found)

    def items(self, name: str, what: str) -> list[Fields]:
        """A list of mappings, at least one."""
        nodes = self._sequence(name, True)
        if not nodes and name in self._nodes and isinstance(self._nodes[name], yaml.SequenceNode):
            self.fault(name, f"{self.what}: {name} must not be empty.")
        return [Fields(node, what, self._faults) for node in nodes]

    def mapping(self, name: str, what: str, *, required: bool = True) -> Fields | None:
        node = self._take(name, required)
        return None if node is None else Fields(node, what, self._faults)

    def end(self) -> None:
        """Report the fields that nobody asked for."""
        for name in self._nodes:
            if name not in self._taken:
                self.fault(name, f"{self.what} has no field {name!r}: correct the name or remove it.")

    def _take(self, name: str, required: bool) -> yaml.Node | None:
        self._taken.add(name)
        if name not in self._nodes:
            if required:
                self._faults.add(self.line, f"{self.what} lacks {name!r}: add it.")
            return None
        return self._nodes[name]

    def _sequence(self, name: str, required: bool) -> list[yaml.Node]:
        node = self._take(name, required)
        if node is None:
            return []
        if not isinstance(node, yaml.SequenceNode):
            self.fault(name, f"{self.what}: {name} must be a list.")
            return []
        return list(node.value)


def _scalar(node: yaml.Node, *types: str) -> str | None:
    if isinstance(node, yaml.ScalarNode) and node.tag in {_TAG + kind for kind in types}:
        return str(node.value)
    return None


def each(fields: Fields, read: Callable[[str], Any]) -> dict[str, Any]:
    """`read` applied to every field's name, for mappings whose names are free."""
    return {name: read(name) for name in fields.names}
