"""Finds a canary in bytes, also where somebody took pains to disguise it."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any, Final

TERMINAL_CODE: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
TAG: Final = re.compile(r"<[^<>]*>")
SEPARATOR: Final = re.compile(r"[^A-Za-z0-9]+")
PACKED: Final = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
MOST_PACKED: Final = 2_000


def traces(data: bytes, canary: str) -> list[str]:
    """In which forms the canary is there; empty when it is not."""
    found = set()
    for view in _views(data):
        plain = SEPARATOR.sub("", view).lower()
        kept = re.sub(r"[^A-Za-z0-9+/]+", "", view)
        found.update(name for name, form in _forms(canary).items() if form.lower() in plain)
        found.update("base64" for form in _base64(canary) if form in kept)
        if any(canary.encode() in unpacked for unpacked in _unpacked(view)):
            found.add("compressed")
    return sorted(found)


def _forms(canary: str) -> dict[str, str]:
    raw = canary.encode()
    return {
        "plain": canary,
        "reversed": canary[::-1],
        "rot13": codecs.encode(canary, "rot13"),
        "hexadecimal": raw.hex(),
        "decimal": "".join(str(byte) for byte in raw),
        "base32": base64.b32encode(raw).decode().rstrip("=")[: len(raw) * 8 // 5],
    }


def _base64(canary: str) -> Iterator[str]:
    """As it looks at each of the three places that it may have among groups of three bytes; also backwards."""
    for raw in (canary.encode(), canary[::-1].encode()):
        for offset in range(3):
            coded = base64.b64encode(b"\0" * offset + raw).decode()
            yield coded[-(-offset * 4 // 3) + (offset > 0) : (offset + len(raw)) * 8 // 6]


def _views(data: bytes) -> Iterator[str]:
    """The text as it is; of JSON all texts joined, and those of the outputs alone; of HTML what a reader sees."""
    text = data.decode("utf-8", "replace")
    yield text
    yield html.unescape(TAG.sub("", text))
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return
    for leaves in (_leaves(raw), _leaves(_outputs(raw))):
        yield TERMINAL_CODE.sub("", "".join(leaves))


def _outputs(raw: Any) -> list[Any]:
    cells = raw.get("cells") if isinstance(raw, dict) else None
    outputs = [output for cell in cells or () if isinstance(cell, dict) for output in cell.get("outputs") or ()]
    return [output.get("text") or output.get("data") or output.get("traceback") for output in outputs]


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)


def _unpacked(view: str) -> Iterator[bytes]:
    """What runs of Base64 or hexadecimal digits hold, inflated."""
    for match in list(PACKED.finditer(view))[:MOST_PACKED]:
        for decode in (base64.b64decode, base64.urlsafe_b64decode, bytes.fromhex):
            try:
                raw = decode(match[0])
            except (ValueError, binascii.Error):
                continue
            for bits in (15, -15, 31):
                try:
                    yield zlib.decompressobj(bits).decompress(raw, 1_000_000)
                except zlib.error:
                    continue
