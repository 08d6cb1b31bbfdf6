"""What a cell prints and shows, gathered in nbformat's shape and cut off where it gets too much."""

from __future__ import annotations

import base64
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any, Final

TRUNCATED: Final = "… output truncated …"
MOST_OUTPUTS: Final = 2_000
MOST_TRACEBACK_CHARS: Final = 20_000
DEEPEST_JSON: Final = 30


class Collector:
    """The outputs of the cell that runs. Threads may add; what they add between cells goes to the next."""

    def __init__(self) -> None:
        self.begin(0)

    def begin(self, limit: int) -> None:
        """Start afresh and keep at most `limit` characters."""
        self._limit = limit
        self._clear()

    def _clear(self) -> None:
        self._items: list[dict[str, Any]] = []
        self._streams: list[tuple[str, list[str]]] = []
        self._size = 0
        self._full = False
        self._clear_next = False

    def stream(self, name: str, text: str) -> None:
        if not text:
            return
        if not self._room(len(text)):
            text = text[: self._limit - self._size]
            self._size += len(text)
            if not text:
                return
        last = self._items[-1] if self._items else None
        if last is None or last.get("name") != name:
            last = {"output_type": "stream", "name": name, "text": []}
            self._items.append(last)
        last["text"].append(text)

    def show(self, kind: str, data: Mapping[str, Any], metadata: Mapping[str, Any] | None, **more: Any) -> None:
        plain, about = _plain_bundle(data), _plain_json(metadata or {})
        if plain and self._room(_size(plain) + len(json.dumps(about))):
            self._items.append({"output_type": kind, "data": plain, "metadata": about, **more})

    def update(self, display_id: object, data: Mapping[str, Any], metadata: Mapping[str, Any] | None) -> None:
        """Change what was shown under this name in the same cell; otherwise do nothing, as a closed notebook would."""
        plain = _plain_bundle(data)
        for item in self._items:
            if display_id is not None and item.get("display_id") == display_id and self._room(_size(plain)):
                item.update(data=plain, metadata=_plain_json(metadata or {}))

    def error(self, name: str, value: str, traceback: Iterable[str]) -> None:
        """Errors are kept even when the cell is full."""
        frames = [str(line) for line in traceback]
        text = "\n".join(frames)
        if len(text) > MOST_TRACEBACK_CHARS:
            half = MOST_TRACEBACK_CHARS // 2
            frames = [text[:half], TRUNCATED, text[-half:]]
        self._items.append({"output_type": "error", "ename": name[:200], "evalue": value[:2_000], "traceback": frames})

    def clear(self, wait: bool) -> None:
        if wait:
            self._clear_next = True
        else:
            self._clear()

    def take(self) -> list[dict[str, Any]]:
        """The outputs so far, as nbformat 4 wants them."""
        items, full = self._items, self._full
        self._clear()
        outputs = []
        for item in items:
            if item["output_type"] == "stream":
                item = {**item, "text": _overwritten("".join(item["text"]))}
            outputs.append({key: value for key, value in item.items() if key != "display_id"})
        if full:
            outputs.append({"output_type": "stream", "name": "stderr", "text": f"\n{TRUNCATED}\n"})
        return outputs

    def _room(self, size: int) -> bool:
        if self._clear_next:
            self._clear()
        if self._full:
            return False
        if self._size + size > self._limit or len(self._items) >= MOST_OUTPUTS:
            self._full = True
            return False
        self._size += size
        return True


def _overwritten(text: str) -> str:
    """Each line as a terminal shows it after its last carriage return. No regular expression: on a long line one that
    looks for the return from every place takes the square of its length."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if "\r" in line:
            written = line.rstrip("\r") if number < len(lines) - 1 else line
            lines[number] = line[written.rfind("\r") + 1 :]
    return "\n".join(lines)


def _plain_bundle(data: Mapping[str, Any]) -> dict[str, Any]:
    """Text as text, images in base64, JSON kinds as JSON; what is none of these is left out."""
    bundle: dict[str, Any] = {}
    for kind, value in data.items():
        if type(kind) is not str:
            continue
        if isinstance(value, bytes):
            bundle[kind] = base64.b64encode(value).decode("ascii")
        elif isinstance(value, str):
            bundle[kind] = str.__str__(value)
        elif kind.endswith("json"):
            bundle[kind] = _plain_json(value)
    return bundle


def _plain_json(value: Any) -> Any:
    try:
        plain = json.loads(json.dumps(value, default=str))
    except (TypeError, ValueError, RecursionError):
        return {}
    return plain if _is_flatter(plain, DEEPEST_JSON) else {}


def _is_flatter(value: Any, depth: int) -> bool:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_flatter(item, depth - 1) for item in items)


def _size(bundle: Mapping[str, Any]) -> int:
    return sum(len(value) if isinstance(value, str) else len(json.dumps(value)) for value in bundle.values())


class OutStream(io.TextIOBase):
    """`sys.stdout` and `sys.stderr` as a notebook has them."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, collector: Collector, name: str, descriptor: int) -> None:
        self._collector = collector
        self._descriptor = descriptor
        self.name = name
        self.buffer = _Bytes(self)

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._collector.stream(self.name, str.__str__(text))
        return len(text)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        """Stays open: libraries that close it would silence the rest of the notebook."""


class _Bytes(io.RawIOBase):
    def __init__(self, stream: OutStream) -> None:
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        raw = bytes(data)
        self._stream.write(raw.decode("utf-8", "replace"))
        return len(raw)


class DescriptorCapture:
    """What C code and child processes write to descriptors 1 and 2 goes to a file, and from there to the cell.

    A file and no pipe: a pipe needs a reader beside the student's code, and its last holder could keep us waiting.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  it lives as long as the process
        os.set_inheritable(self._file.fileno(), False)
        flags = os.O_WRONLY | os.O_APPEND
        opened = os.open(f"/proc/self/fd/{self._file.fileno()}", flags)
        for descriptor in (1, 2):
            os.dup2(opened, descriptor)
        os.close(opened)

    def take(self, limit: int) -> str:
        try:
            size = os.fstat(self._file.fileno()).st_size
            if not size:
                return ""
            data = os.pread(self._file.fileno(), min(size, limit + 1), 0)
            os.ftruncate(self._file.fileno(), 0)
        except OSError:
            return ""
        return data.decode("utf-8", "replace")


def install(collector: Collector) -> DescriptorCapture:
    """Point the process's standard streams at the collector."""
    capture = DescriptorCapture()
    sys.stdin = open(os.devnull)  # noqa: SIM115, PTH123  it lives as long as the process
    sys.stdout = OutStream(collector, "stdout", 1)
    sys.stderr = OutStream(collector, "stderr", 2)
    return capture
