"""Plain data to JSON plus blobs and back.

None, booleans, text, floats and small integers are JSON; everything else is a list whose first item is a tag. Blobs are
read in the order in which the JSON names them and exactly once, so a short message can't ask for much.

A writer looks at exact types and uses the built-in types' own methods, so a subclass arrives as its plain base value.
"""

from __future__ import annotations

import array
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from graders.wire import arrays
from graders.wire.limits import Blob, Limits, TooLarge, WireError

Node = Any
Extra = Callable[["Decoder", list[Any]], Any]

LONG_TEXT: Final = 2_000
MANY_NUMBERS: Final = 64
LARGEST_JSON_INTEGER: Final = 2**63
LONGEST_INTEGER_DIGITS: Final = 65_536
LONGEST_DECIMAL: Final = 1_000
LARGEST_EXPONENT: Final = 4_000  # int(Decimal("1e999999999")) would never end
SEQUENCES: Final[Mapping[str, type]] = {"l": list, "t": tuple, "s": set, "z": frozenset}


class Record(tuple[Any, ...]):
    """What a named tuple arrives as: a tuple whose items also have names."""

    _fields: tuple[str, ...]

    def __new__(cls, fields: Iterable[str], values: Iterable[Any]) -> Record:
        self = super().__new__(cls, values)
        self._fields = tuple(fields)
        self.__dict__.update(zip(self._fields, self, strict=True))
        return self

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))


class Encoder:
    """`fallback` turns what is no plain data into a tagged list, or raises TypeError."""

    def __init__(self, fallback: Callable[[Encoder, object], Node] | None = None, limits: Limits | None = None) -> None:
        self.fallback = fallback
        self.limits = limits or Limits()
        self.blobs: list[Blob] = []
        self._nodes = 0
        self._blob_bytes = 0
        self._depth = 0

    def node(self, value: object) -> Node:
        """Raises TooLarge or TypeError."""
        self._nodes += 1
        if self._nodes > self.limits.nodes:
            raise TooLarge(f"The value has more than {self.limits.nodes:,} parts.")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if self._depth >= self.limits.depth:
            raise TooLarge(f"The value is nested more than {self.limits.depth} levels deep.")
        self._depth += 1
        try:
            return self._tagged(kind, value)
        finally:
            self._depth -= 1

    def _tagged(self, kind: type, value: object) -> Node:
        if kind in WRITERS:
            return WRITERS[kind](self, value)
        known = arrays.write(self, value)
        if known is not None:
            return known
        for base in type.mro(kind):
            if base in WRITERS:
                return WRITERS[base](self, value)
        if self.fallback is None:
            raise TypeError(f"A {kind.__name__} is no plain data.")
        return self.fallback(self, value)

    def blob(self, data: Blob) -> int:
        self._blob_bytes += len(data)
        if self._blob_bytes > self.limits.blob_bytes:
            raise TooLarge(f"The value has more than {self.limits.blob_bytes // 1024**2} MiB.")
        self.blobs.append(data)
        return len(data)

    def reserve(self, count: int) -> None:
        """Refuse before a copy of `count` bytes is made."""
        if self._blob_bytes + count > self.limits.blob_bytes:
            raise TooLarge(f"The value has more than {self.limits.blob_bytes // 1024**2} MiB.")


def _write_integer(encoder: Encoder, value: Any) -> Node:
    number = int.__index__(value)
    if -LARGEST_JSON_INTEGER < number < LARGEST_JSON_INTEGER:
        return number
    if number.bit_length() > 4 * LONGEST_INTEGER_DIGITS:
        raise TooLarge("The integer has too many digits.")
    return ["i", f"{number:x}"]


def _write_float(_encoder: Encoder, value: Any) -> Node:
    number = float.__float__(value)
    return number if math.isfinite(number) else ["f", float.__repr__(number)]


def _write_text(encoder: Encoder, value: Any) -> Node:
    text = str.__str__(value)
    if len(text) < LONG_TEXT:
        return text
    return ["u", encoder.blob(text.encode("utf-8", "surrogatepass"))]


def _write_sequence(tag: str) -> Callable[[Encoder, Any], Node]:
    base: Any = SEQUENCES[tag]

    def write(encoder: Encoder, value: Any) -> Node:
        items = list(base.__iter__(value))
        if len(items) >= MANY_NUMBERS and tag in "lt":
            packed = _pack_numbers(items, encoder.limits)
            if packed is not None:
                return ["n" + tag, packed.typecode, encoder.blob(packed.tobytes())]
        fields = getattr(type(value), "_fields", None) if tag == "t" else None
        if type(fields) is tuple and len(fields) == len(items) and all(map(_is_field, fields)):
            return ["R", list(fields), *map(encoder.node, items)]
        return [tag, *map(encoder.node, items)]

    return write


def _is_field(name: object) -> bool:
    return type(name) is str and name.isidentifier() and not name.startswith("_")


def _pack_numbers(items: list[Any], limits: Limits) -> array.array[Any] | None:
    kinds = set(map(type, items))
    if len(items) > limits.numbers and kinds in ({float}, {int}):
        raise TooLarge(f"The value has more than {limits.numbers:,} numbers; use an array.")
    if kinds == {float}:
        return array.array("d", items)
    if kinds == {int}:
        try:
            return array.array("q", items)
        except OverflowError:
            return None
    return None


def _write_dict(encoder: Encoder, value: Any) -> Node:
    node: list[Node] = ["d"]
    for key, item in list(dict.items(value)):
        node += (encoder.node(key), encoder.node(item))
    return node


def _write_complex(_encoder: Encoder, value: Any) -> Node:
    return ["c", float.__repr__(complex.__complex__(value).real), float.__repr__(complex.__complex__(value).imag)]


def _write_fraction(encoder: Encoder, value: Any) -> Node:
    parts = (getattr(Fraction, name).__get__(value) for name in ("numerator", "denominator"))
    return ["Q", *(_write_integer(encoder, part) for part in parts)]


def _write_decimal(encoder: Encoder, value: Any) -> Node:
    text = Decimal.__str__(value)
    if encoder.fallback is not None and not _moderate(text):
        return encoder.fallback(encoder, value)
    return ["D", text]


def _moderate(text: str) -> bool:
    if len(text) > LONGEST_DECIMAL:
        return False
    number = Decimal(text)
    return not number.is_finite() or abs(number.adjusted()) <= LARGEST_EXPONENT


def _write_range(encoder: Encoder, value: range) -> Node:
    if not _short(value) and encoder.fallback is not None:
        return encoder.fallback(encoder, value)
    return ["g", *(_write_integer(encoder, part) for part in (value.start, value.stop, value.step))]


WRITERS: Final[Mapping[type, Callable[[Encoder, Any], Node]]] = {
    int: _write_integer,
    float: _write_float,
    str: _write_text,
    complex: _write_complex,
    bytes: lambda encoder, value: ["b", encoder.blob(b"".join((value,)))],
    bytearray: lambda encoder, value: ["B", encoder.blob(bytes(memoryview(value)))],
    list: _write_sequence("l"),
    tuple: _write_sequence("t"),
    set: _write_sequence("s"),
    frozenset: _write_sequence("z"),
    dict: _write_dict,
    Fraction: _write_fraction,
    Decimal: _write_decimal,
    range: _write_range,
    slice: lambda encoder, value: ["S", *map(encoder.node, (value.start, value.stop, value.step))],
    type(Ellipsis): lambda _encoder, _value: ["E"],
}


class Decoder:
    """Reads what an Encoder wrote. `extras` maps further tags to their readers; without `arrays` no library is
    imported for a value, whatever the message says."""

    def __init__(
        self,
        blobs: Blob,
        extras: Mapping[str, Extra] | None = None,
        limits: Limits | None = None,
        *,
        arrays: bool = True,
    ) -> None:
        self.extras = extras or {}
        self._readers = READERS if arrays else PLAIN_READERS
        self.limits = limits or Limits()
        self._blobs = memoryview(blobs)
        self._at = 0
        self._nodes = 0
        self._depth = 0

    def value(self, node: Node) -> Any:
        """Raises WireError, or whatever a reader stumbles over: `loads` turns it into a WireError."""
        self._nodes += 1
        if self._nodes > self.limits.nodes:
            raise WireError("The message has too many parts.")
        kind = type(node)
        if node is None or kind in (bool, str, float, int):
            return node
        if kind is not list or not node or type(node[0]) is not str:
            raise WireError("The message has a part of no known kind.")
        if self._depth >= self.limits.depth:
            raise WireError("The message is nested too deeply.")
        self._depth += 1
        try:
            read = self._readers.get(node[0]) or self.extras.get(node[0])
            if read is None:
                raise WireError(f"The message has an unknown tag {node[0][:20]!r}.")
            return read(self, node[1:])
        finally:
            self._depth -= 1

    def blob(self, count: Any) -> memoryview:
        if type(count) is not int or not 0 <= count <= len(self._blobs) - self._at:
            raise WireError("The message names a blob that it doesn't bring.")
        self._at += count
        return self._blobs[self._at - count : self._at]

    def end(self) -> None:
        if self._at != len(self._blobs):
            raise WireError("The message brings more than it names.")


def exactly(items: list[Any], *kinds: type) -> list[Any]:
    """The items, when there are as many as kinds and each has exactly its kind."""
    if len(items) != len(kinds) or any(type(item) is not kind for item, kind in zip(items, kinds, strict=True)):
        raise WireError("A part of the message has the wrong shape.")
    return items


def _read_integer(_decoder: Decoder, items: list[Any]) -> int:
    (digits,) = exactly(items, str)
    if len(digits) > LONGEST_INTEGER_DIGITS + 1:
        raise WireError("An integer has too many digits.")
    return int(digits, 16)


def _read_float(_decoder: Decoder, items: list[Any]) -> float:
    (text,) = exactly(items, str)
    if text not in ("nan", "inf", "-inf"):
        raise WireError("A number is written in a way that is not ours.")
    return float(text)


def _read_complex(_decoder: Decoder, items: list[Any]) -> complex:
    real, imaginary = exactly(items, str, str)
    if len(real) > 40 or len(imaginary) > 40:
        raise WireError("A number is written in a way that is not ours.")
    return complex(float(real), float(imaginary))


def _read_fraction(decoder: Decoder, items: list[Any]) -> Fraction:
    return Fraction(*exactly([decoder.value(item) for item in items], int, int))


def _read_decimal(_decoder: Decoder, items: list[Any]) -> Decimal:
    (text,) = exactly(items, str)
    try:
        if _moderate(text):
            return Decimal(text)
    except InvalidOperation:
        pass
    raise WireError("A decimal number is written in a way that is not ours.")


def _read_text(decoder: Decoder, items: list[Any]) -> str:
    (count,) = exactly(items, int)
    return bytes(decoder.blob(count)).decode("utf-8", "surrogatepass")


def _read_sequence(tag: str) -> Extra:
    base: Any = SEQUENCES[tag]

    def read(decoder: Decoder, items: list[Any]) -> Any:
        return base(decoder.value(item) for item in items)

    return read


def _read_numbers(tag: str) -> Extra:
    base: Any = SEQUENCES[tag]

    def read(decoder: Decoder, items: list[Any]) -> Any:
        code, count = exactly(items, str, int)
        if code not in ("d", "q") or count > 8 * decoder.limits.numbers:
            raise WireError("A list of numbers is written in a way that is not ours.")
        numbers = array.array(code)
        numbers.frombytes(decoder.blob(count))
        return base(numbers)

    return read


def _read_record(decoder: Decoder, items: list[Any]) -> Record:
    fields = items[0] if items else None
    if type(fields) is not list or len(fields) != len(items) - 1 or not all(map(_is_field, fields)):
        raise WireError("A named tuple has the wrong shape.")
    return Record(fields, [decoder.value(item) for item in items[1:]])


def _read_dict(decoder: Decoder, items: list[Any]) -> dict[Any, Any]:
    if len(items) % 2:
        raise WireError("A dictionary has a key without a value.")
    return {decoder.value(items[at]): decoder.value(items[at + 1]) for at in range(0, len(items), 2)}


def _read_range(decoder: Decoder, items: list[Any]) -> range:
    start, stop, step = exactly([decoder.value(item) for item in items], int, int, int)
    numbers = range(start, stop, step)
    if not _short(numbers):
        raise WireError("A range is longer than allowed.")
    return numbers


def _short(numbers: range) -> bool:
    return max(abs(numbers.start), abs(numbers.stop), abs(numbers.step)) < LARGEST_JSON_INTEGER and (
        len(numbers) <= arrays.LONGEST_RANGE
    )


def _read_slice(decoder: Decoder, items: list[Any]) -> slice:
    start, stop, step = (decoder.value(item) for item in items)
    return slice(start, stop, step)


def _read_ellipsis(_decoder: Decoder, items: list[Any]) -> Any:
    exactly(items)
    return ...


PLAIN_READERS: Final[Mapping[str, Extra]] = {
    "i": _read_integer,
    "f": _read_float,
    "c": _read_complex,
    "Q": _read_fraction,
    "D": _read_decimal,
    "u": _read_text,
    "b": lambda decoder, items: bytes(decoder.blob(*exactly(items, int))),
    "B": lambda decoder, items: bytearray(decoder.blob(*exactly(items, int))),
    **{tag: _read_sequence(tag) for tag in SEQUENCES},
    "nl": _read_numbers("l"),
    "nt": _read_numbers("t"),
    "R": _read_record,
    "d": _read_dict,
    "g": _read_range,
    "S": _read_slice,
    "E": _read_ellipsis,
}
READERS: Final[Mapping[str, Extra]] = {**PLAIN_READERS, **arrays.READERS}


def dumps(
    value: object,
    *,
    fallback: Callable[[Encoder, object], Node] | None = None,
    limits: Limits | None = None,
) -> tuple[bytes, list[Blob]]:
    """JSON and blobs.

    Raises:
        TooLarge: the value is larger than the limits.
        TypeError: a part is no plain data, and `fallback` doesn't know it either.
    """
    encoder = Encoder(fallback, limits)
    try:
        text = json.dumps(encoder.node(value), allow_nan=False, separators=(",", ":")).encode()
    except RecursionError as error:
        raise TooLarge("The value is nested too deeply.") from error
    if len(text) > encoder.limits.json_bytes:
        raise TooLarge(f"The value has more than {encoder.limits.json_bytes // 1024**2} MiB.")
    return text, encoder.blobs


def loads(
    text: Blob,
    blobs: Blob = b"",
    *,
    extras: Mapping[str, Extra] | None = None,
    limits: Limits | None = None,
    arrays: bool = True,
) -> Any:
    """The value. Costs memory in proportion to the bytes given, whatever they say. Arrays may lie in `blobs`.

    Raises:
        WireError: the bytes are not what `dumps` writes.
    """
    decoder = Decoder(blobs, extras, limits, arrays=arrays)
    try:
        value = decoder.value(json.loads(bytes(text), parse_constant=_refuse))
        decoder.end()
    except WireError:
        raise
    except ImportError as error:
        raise WireError(f"The message has a value that can't be read here: {error}.") from error
    except Exception as error:  # the libraries that make tables and tensors have errors of all kinds
        raise WireError(f"The bytes are no message: {type(error).__name__}.") from error
    return value


def _refuse(name: str) -> float:
    raise WireError(f"{name} is not written that way.")


assert sys.byteorder == "little", "blobs are little-endian"  # noqa: S101  both ends are one machine
