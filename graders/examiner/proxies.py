"""What a test sees of a student's objects: plain values, or proxies that ask for more.

A proxy never compares or converts on the student's side: the answer to `==` would be the student's to give, and the
other side of it theirs to learn.
"""

from __future__ import annotations

import builtins
import dataclasses
import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final, NoReturn

from graders.examiner.session import Session, StudentFailure
from graders.wire import Encoder

NOT_COMPARED: Final = (
    "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __bool__ __int__ __float__ __complex__ __index__ __array__"
)
SILENT_ENDINGS: Final = ("StopIteration", "StopAsyncIteration")
"""Raised where a value is due, these would end a test's loop, or its `all(map(...))`, as if all had been seen."""
READABLE_DUNDERS: Final = frozenset({"__name__", "__doc__"})
FOREIGN_MODULES: Final = ("graders", "otter", "__main__")


class NotDefined(KeyError):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"You have not defined `{self.name}`."


class StudentError(Exception):
    """An exception that the student's code raised; of the built-in class of that name too, where there is one."""

    failure: StudentFailure

    def __str__(self) -> str:
        return str(self.failure)


@functools.lru_cache(maxsize=256)
def _error_class(name: str) -> type[StudentError]:
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception) and name not in SILENT_ENDINGS:
        try:
            made = type(f"Student{name}", (StudentError, kind), {})
            made("")
        except TypeError:
            return StudentError
        return made
    return StudentError


def raise_failure(failure: StudentFailure) -> NoReturn:
    error = _error_class(failure.name)(str(failure))
    error.failure = failure
    raise error


class Proxy:
    """An object in the student's process."""

    __slots__ = ("__weakref__", "_ridgepoint")

    def __init__(self, session: Session, number: int, kind: str) -> None:
        self._ridgepoint = (session, number, kind)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__") and name not in READABLE_DUNDERS:
            raise AttributeError(f"{self!r} can't be asked for {name}.")
        return _ask(self, "getattr", name=name)

    def __getitem__(self, key: Any) -> Any:
        return _ask(self, "index", key=key)

    def __len__(self) -> int:
        length = _ask(self, "len")
        if type(length) is not int:
            raise TypeError(f"{self!r} has no length.")
        return length

    def __iter__(self) -> Iterator[Any]:
        items = _ask(self, "iterate")
        if not isinstance(items, Proxy):
            yield from items
            return
        while True:
            try:
                yield next(items)
            except StopIteration:
                return

    def __next__(self) -> Any:
        more, item = _ask(self, "next")
        if more is not True:
            raise StopIteration
        return item

    def __enter__(self) -> Any:
        return _ask(_ask(self, "getattr", name="__enter__"), "call", args=(), kwargs={})

    def __exit__(self, *_error: object) -> None:
        _ask(_ask(self, "getattr", name="__exit__"), "call", args=(None, None, None), kwargs={})

    def __del__(self) -> None:
        session, number, _kind = self._ridgepoint
        session.let_go(number)

    def __repr__(self) -> str:
        return f"<the student's {self._ridgepoint[2]}>"

    __hash__ = object.__hash__


class CallableProxy(Proxy):
    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _ask(self, "call", args=args, kwargs=kwargs)


def _refuse(name: str) -> Callable[..., NoReturn]:
    def refuse(self: Proxy, *_args: object, **_kwargs: object) -> NoReturn:
        plain = "a number, text, list, dictionary, array or tensor is wanted here"
        raise TypeError(f"{self!r} is no plain value, so {name} is not asked of it: {plain}.")

    return refuse


for _name in NOT_COMPARED.split():
    setattr(Proxy, _name, _refuse(_name))


def _ask(proxy: Any, operation: str, **fields: Any) -> Any:
    if not isinstance(proxy, Proxy):
        raise TypeError("The student's object is plain data here.")
    return proxy._ridgepoint[0].request(operation, of=proxy, **fields)


class Environment(dict[str, Any]):
    """The student's names, as otter-grader's tests expect a global environment. Each look is a fresh copy."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._callbacks = itertools.count(1)
        session.read_object = self._read
        session.write_object = self._write
        session.raise_failure = raise_failure

    def __missing__(self, name: str) -> Any:
        found, value = self._look_up(name)
        if not found:
            raise NotDefined(name)
        return value

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._look_up(name)[0]

    def get(self, name: str, default: Any = None) -> Any:
        found, value = self._look_up(name)
        return value if found else default

    def copy(self) -> Environment:
        return self

    def _look_up(self, name: str) -> tuple[bool, Any]:
        answer = self._session.request("get", name=name)
        if type(answer) is not tuple or len(answer) != 2 or type(answer[0]) is not bool:
            raise TypeError(f"`{name}` could not be read.")
        return answer

    def _read(self, number: int, kind: str, callable_there: bool) -> Proxy:
        printable = "".join(character for character in kind[:100] if character.isprintable())
        return (CallableProxy if callable_there else Proxy)(self._session, number, printable)

    def _write(self, encoder: Encoder, value: object) -> Any:
        if isinstance(value, Proxy):
            session, number, _kind = value._ridgepoint
            if session is not self._session:
                raise TypeError(f"{value!r} belongs to a process that has ended.")
            return ["r", number]
        name = _importable_name(value)
        if name is not None:
            return ["N", *name]
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            kind = _importable_name(type(value))
            if kind is not None:
                fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
                return ["O", *kind, encoder.node(fields)]
        if callable(value):
            number = next(self._callbacks)
            self._session.callbacks[number] = value
            return ["K", number]
        raise TypeError(f"A test can't hand over a {type(value).__name__}: it is no plain data and no function.")


def _importable_name(value: object) -> tuple[str, str] | None:
    """Module and path of what the student's process can import too; None for what only the tests have."""
    if isinstance(value, ModuleType):
        return None if value.__name__.startswith(FOREIGN_MODULES) else (value.__name__, "")
    module, path = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(path, str) or module.startswith(FOREIGN_MODULES):
        return None
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    return (module, path) if found is value and found is not None else None
