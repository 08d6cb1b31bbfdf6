"""Strict reading of JSON that crosses a trust boundary: every field by name, type and bound, and none left over."""

from __future__ import annotations

import json
import math
from typing import Any, Final

MAX_NUMBER: Final = 1e12


class Fields:
    """The fields of one JSON object. `end` refuses what nobody took. All faults raise `error`."""

    def __init__(self, raw: object, where: str, error: type[ValueError]) -> None:
        self._error = error
        self._where = where
        if type(raw) is not dict:
            raise error(f"{where} is not an object.")
        self._raw: dict[str, object] = raw
        self._taken: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._raw

    def value(self, name: str) -> object:
        if name not in self._raw:
            raise self._error(f"{self._where} lacks {name}.")
        self._taken.add(name)
        return self._raw[name]

    def text(self, name: str, most: int) -> str:
        return text(self.value(name), f"{self._where}.{name}", most, self._error)

    def optional_text(self, name: str, most: int) -> str | None:
        return None if self.value(name) is None else self.text(name, most)

    def one_of(self, name: str, choices: tuple[str, ...]) -> Any:
        value = self.text(name, 40)
        if value not in choices:
            raise self._error(f"{self._where}.{name} is {value!r}.")
        return value

    def boolean(self, name: str) -> bool:
        value = self.value(name)
        if type(value) is not bool:
            raise self._error(f"{self._where}.{name} is not true or false.")
        return value

    def number(self, name: str) -> float:
        """From 0 to MAX_NUMBER; neither true nor "1" is a number."""
        value = self.value(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_NUMBER:
            raise self._error(f"{self._where}.{name} is not a number from 0 to {MAX_NUMBER:g}.")
        return math.fabs(value)  # also makes 0 of -0.0

    def integer(self, name: str, least: int, most: int) -> int:
        value = self.value(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self._error(f"{self._where}.{name} is not an integer from {least} to {most}.")
        return value

    def items(self, name: str, most: int) -> list[object]:
        value = self.value(name)
        if type(value) is not list or len(value) > most:
            raise self._error(f"{self._where}.{name} is not a list of at most {most}.")
        return value

    def texts(self, name: str, *, most: int = 100, key_chars: int = 100, chars: int = 1_000) -> dict[str, str]:
        value = self.value(name)
        if type(value) is not dict or len(value) > most:
            raise self._error(f"{self._where}.{name} is not an object of at most {most} texts.")
        where = f"{self._where}.{name}"
        return {
            text(key, where, key_chars, self._error): text(item, f"{where}.{key[:100]}", chars, self._error)
            for key, item in value.items()
        }

    def end(self) -> None:
        unknown = sorted(set(self._raw) - self._taken)
        if unknown:
            raise self._error(f"{self._where} has an unknown field {unknown[0][:40]!r}.")


def text(value: object, where: str, most: int, error: type[ValueError]) -> str:
    if type(value) is not str or len(value) > most:
        raise error(f"{where} is not a text of at most {most} characters.")
    try:
        value.encode()
    except UnicodeEncodeError as fault:
        raise error(f"{where} is not valid Unicode.") from fault
    return value


def parse_json(data: bytes, where: str, error: type[ValueError]) -> object:
    """JSON as the standard has it: no NaN, no infinity, no key twice."""

    def constant(name: str) -> float:
        raise error(f"{where} holds {name}, which is not a number.")

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            raise error(f"{where} has an object with the same field twice.")
        return fields

    try:
        return json.loads(data, parse_constant=constant, object_pairs_hook=unique)
    except error:
        raise
    except (ValueError, RecursionError) as fault:
        raise error(f"{where} is not JSON: {fault}.") from fault
