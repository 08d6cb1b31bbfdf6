"""What stays here and is only named to the examiner; and what the examiner may name to us."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from typing import Any

from graders.wire import Decoder, Encoder, WireError

AskBack = Callable[[int, tuple[Any, ...], dict[str, Any]], Any]


class Objects:
    """Objects by number, kept alive until the examiner lets go of them."""

    def __init__(self, ask_back: AskBack) -> None:
        self._ask_back = ask_back
        self._kept: dict[int, object] = {}
        self._numbers = itertools.count(1)
        self.extras = {"r": self._read_object, "N": _read_name, "O": _read_instance, "K": self._read_callback}

    def __getitem__(self, number: object) -> Any:
        return self._kept[number]  # type: ignore[index]  # a wrong number is a KeyError like any other

    def keep(self, value: object) -> int:
        number = next(self._numbers)
        self._kept[number] = value
        return number

    def release(self, numbers: list[int]) -> None:
        for number in numbers:
            self._kept.pop(number, None)

    def write(self, _encoder: Encoder, value: object) -> list[Any]:
        return ["r", self.keep(value), _describe(value), callable(value)]

    def _read_object(self, _decoder: Decoder, items: list[Any]) -> Any:
        return self[items[0]]

    def _read_callback(self, _decoder: Decoder, items: list[Any]) -> Any:
        (number,) = items

        def callback(*args: Any, **kwargs: Any) -> Any:
            return self._ask_back(number, args, kwargs)

        return callback


def _describe(value: object) -> str:
    kind = type(value)
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    return f"{kind.__name__} {name}"[:200] if type(name) is str else kind.__name__[:200]


def _read_name(_decoder: Decoder, items: list[Any]) -> Any:
    """A function, class or module that both sides can import."""
    module, path = items
    value: Any = importlib.import_module(module)
    for part in path.split(".") if path else ():
        value = getattr(value, part)
    return value


def _read_instance(decoder: Decoder, items: list[Any]) -> Any:
    """A dataclass instance of the lab's library, field by field."""
    module, path, fields = items
    kind = _read_name(decoder, [module, path])
    if not isinstance(kind, type):
        raise WireError(f"{module}.{path} is no class here.")
    instance: object = object.__new__(kind)
    for name, value in decoder.value(fields).items():
        object.__setattr__(instance, name, value)
    return instance
