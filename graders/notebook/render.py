"""The executed notebook as HTML, made by nbconvert inside a jail: `python -m graders.notebook.render [IN [OUT]]`.

IN (executed.ipynb) and OUT (3) are paths or numbers of open descriptors. What comes out is not safe for a
page: `server.lib.sanitize.notebook_html` makes it so. No picture is decoded. Whatever the notebook holds, something
readable comes out: what is too large is left out with a remark; what nbconvert can't finish in time is shown plainly.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NoReturn

MAX_HTML_BYTES: Final = 20_000_000
MAX_MEGAPIXELS: Final = 25
NBCONVERT_CPU_S: Final = 10.0
NBCONVERT_WALL_S: Final = 45.0

_MAX_OUTPUTS: Final = 100
_MAX_SOURCE: Final = 60_000  # characters, as all that follow
_MAX_TEXT: Final = 60_000
_MAX_MARKUP: Final = 400_000
_MAX_PICTURE: Final = 6_000_000
_MAX_SOURCES: Final = 300_000  # of one notebook; highlighting makes up to 25 characters of one
_MAX_OUTPUTS_TOGETHER: Final = 10_000_000
_BRIEF_TEXT: Final = 4_000
_BRIEF_TOGETHER: Final = 2_000_000

_SHOWN: Final = ("text/html", "text/markdown", "image/svg+xml", "image/png", "image/jpeg", "text/latex", "text/plain")
_ANSI: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/\s]*={0,2}\s*")


class _TooSlow(BaseException):  # nothing on the way may take it for an ordinary error
    pass


class _Budget:
    def __init__(self, chars: int) -> None:
        self._left = chars

    def clipped(self, text: str, most: int) -> str:
        """As much of the text as it may have, from both ends, and a remark on the rest."""
        most = min(most, self._left)
        self._left -= min(len(text), most)
        if len(text) <= most:
            return text
        head, tail = text[: most * 3 // 4], text[len(text) - most // 4 :]
        return f"{head}\n... {len(text) - most:,} characters are left out ...\n{tail}"

    def takes(self, text: str, most: int) -> bool:
        fits = len(text) <= min(most, self._left)
        self._left -= len(text) if fits else 0
        return fits


def render(executed: bytes) -> str:
    """HTML of at most MAX_HTML_BYTES.

    Raises:
        ValueError: the bytes are no notebook of format 4.
    """
    try:
        notebook = json.loads(executed)
        cells = notebook["cells"] if notebook["nbformat"] == 4 else None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"The bytes are no notebook: {error}.") from error
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise ValueError("The bytes are no notebook of format 4.")
    try:
        with _time_limit():
            rendered = _by_nbconvert(_bounded(cells))
    except (_TooSlow, Exception) as error:  # noqa: BLE001  # whatever it stumbles over, the student sees the notebook
        sys.stderr.write(f"nbconvert gave up: {type(error).__name__}: {str(error)[-1_000:]}\n")
        rendered = ""
    return rendered if rendered and len(rendered.encode()) <= MAX_HTML_BYTES else _plainly(cells)


@contextmanager
def _time_limit() -> Iterator[None]:
    """Of CPU time, which is fair on a busy machine, and of the clock, because the worker waits by the clock."""

    def stop(*_: object) -> None:
        raise _TooSlow

    timers = (
        (signal.ITIMER_VIRTUAL, signal.SIGVTALRM, NBCONVERT_CPU_S),
        (signal.ITIMER_REAL, signal.SIGALRM, NBCONVERT_WALL_S),
    )
    before = [signal.signal(number, stop) for _, number, _ in timers]
    try:
        for timer, _, seconds in timers:
            signal.setitimer(timer, seconds)
        yield
    finally:
        for (timer, number, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)


def _by_nbconvert(cells: list[dict[str, Any]]) -> str:
    import nbformat

    from graders.notebook.exporter import Exporter

    metadata = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    notebook = nbformat.from_dict({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})
    rendered, _ = Exporter().from_notebook_node(notebook)
    return str(rendered)


def _bounded(cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The cells with only what is shown, each part and all of them together of bounded size."""
    sources, outputs = _Budget(_MAX_SOURCES), _Budget(_MAX_OUTPUTS_TOGETHER)
    bounded: list[dict[str, Any]] = []
    for index, cell in enumerate(cells):
        source = sources.clipped(_text(cell.get("source")), _MAX_SOURCE)
        shown: dict[str, Any] = {"cell_type": "markdown", "id": f"cell-{index}", "metadata": {}, "source": source}
        match cell.get("cell_type"):
            case "code":
                shown["cell_type"] = "code"
                shown["execution_count"] = _count(cell.get("execution_count"))
                shown["outputs"] = list(_outputs(cell.get("outputs"), outputs))
            case "markdown":
                shown["attachments"] = _attachments(cell.get("attachments"), outputs)
            case _:  # nbconvert would pass raw text through as HTML
                shown["source"] = f"<pre>{html.escape(source)}</pre>"
        bounded.append(shown)
    return bounded


def _outputs(raw: object, budget: _Budget) -> Iterator[dict[str, Any]]:
    outputs = [output for output in raw if isinstance(output, dict)] if isinstance(raw, list) else []
    for output in outputs[:_MAX_OUTPUTS]:
        match output.get("output_type"):
            case "stream":
                name = "stderr" if output.get("name") == "stderr" else "stdout"
                yield _stream(name, budget.clipped(_text(output.get("text")), _MAX_TEXT))
            case "error":
                traceback = budget.clipped(_traceback(output), _MAX_TEXT)
                yield {"output_type": "error", "ename": "", "evalue": "", "traceback": traceback.split("\n")}
            case "display_data" | "execute_result" as kind:
                data, metadata = _best(_mapping(output.get("data")), _mapping(output.get("metadata")), budget)
                shown = {"output_type": kind, "data": data, "metadata": metadata}
                if kind == "execute_result":
                    shown["execution_count"] = _count(output.get("execution_count"))
                yield shown
    if len(outputs) > _MAX_OUTPUTS:
        yield _stream("stderr", f"{len(outputs) - _MAX_OUTPUTS:,} more outputs of this cell are left out.")


def _best(
    data: Mapping[str, Any], metadata: Mapping[str, Any], budget: _Budget
) -> tuple[dict[str, str], dict[str, Any]]:
    """The richest form of an output that can be shown, and its metadata."""
    remarks: list[str] = []
    for mime in _SHOWN:
        if mime not in data:
            continue
        content = _text(data[mime])
        if mime in ("text/plain", "text/latex"):
            return {"text/plain": "\n".join([*remarks, budget.clipped(content, _MAX_TEXT)])}, {}
        if mime in ("image/png", "image/jpeg") and (trouble := _picture_trouble(content)):
            remarks.append(f"[{trouble}]")
        elif budget.takes(content, _MAX_PICTURE if mime.startswith("image/") else _MAX_MARKUP):
            return {mime: content}, {mime: _picture_metadata(_mapping(metadata.get(mime)))}
        else:
            remarks.append(f"[An output of {len(content):,} characters is left out.]")
    return {"text/plain": "\n".join(remarks) or "[An output that only a running notebook can show is left out.]"}, {}


def _picture_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {
        side: metadata[side]
        for side in ("width", "height")
        if type(metadata.get(side)) is int and 0 < metadata[side] < 5_000
    }
    if isinstance(metadata.get("alt"), str):
        kept["alt"] = metadata["alt"][:500]
    return kept


def _picture_trouble(content: str) -> str | None:
    """Why a PNG or JPEG in Base64 is not shown, or None. Reads its header, never its pixels."""
    if not _BASE64.fullmatch(content):
        return "A picture that is not valid Base64 is left out."
    try:
        head = base64.b64decode("".join(content[:400_000].split())[: 300_000 // 4 * 4])
    except binascii.Error:
        return "A picture that is not valid Base64 is left out."
    size = _png_size(head) or _jpeg_size(head)
    if size is None:
        return "A picture whose size can't be read is left out."
    megapixels = size[0] * size[1] / 1e6
    if megapixels > MAX_MEGAPIXELS:
        return f"A picture of {megapixels:,.0f} megapixels is left out; at most {MAX_MEGAPIXELS} are shown."
    return None


def _png_size(head: bytes) -> tuple[int, int] | None:
    if head[:8] != b"\x89PNG\r\n\x1a\n" or head[12:16] != b"IHDR" or len(head) < 24:
        return None
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def _jpeg_size(head: bytes) -> tuple[int, int] | None:
    if head[:2] != b"\xff\xd8":
        return None
    place = 2
    while place + 9 <= len(head) and head[place] == 0xFF:
        marker, length = head[place + 1], int.from_bytes(head[place + 2 : place + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(head[place + 7 : place + 9], "big"), int.from_bytes(
                head[place + 5 : place + 7], "big"
            )
        place += 2 + length
    return None


def _attachments(raw: object, budget: _Budget) -> dict[str, dict[str, str]]:
    kept: dict[str, dict[str, str]] = {}
    for name, bundle in _mapping(raw).items():
        for mime, content in _mapping(bundle).items():
            text = _text(content)
            if mime in ("image/png", "image/jpeg") and not _picture_trouble(text) and budget.takes(text, _MAX_PICTURE):
                kept[name] = {mime: text}
    return kept


def _plainly(cells: Sequence[Mapping[str, Any]]) -> str:
    """Sources and text outputs only, made without nbconvert, in nbconvert's class names."""
    budget = _Budget(_BRIEF_TOGETHER)
    parts = ["<p>This notebook is too large or too intricate to be shown in full; here is its text.</p>"]
    for cell in cells:
        is_code = cell.get("cell_type") == "code"
        source = html.escape(budget.clipped(_text(cell.get("source")), _MAX_SOURCE))
        parts.append(f'<div class="cell {"code_cell" if is_code else "text_cell"}"><pre>{source}</pre>')
        outputs = cell.get("outputs") if is_code else None
        for output in outputs[:_MAX_OUTPUTS] if isinstance(outputs, list) else ():
            if text := _ANSI.sub("", _output_text(_mapping(output))):
                shown = html.escape(budget.clipped(text, _BRIEF_TEXT))
                parts.append(f'<div class="output_area"><pre>{shown}</pre></div>')
        parts.append("</div>")
    return "\n".join(parts)


def _output_text(output: Mapping[str, Any]) -> str:
    if output.get("output_type") == "error":
        return _traceback(output)
    return _text(output.get("text")) or _text(_mapping(output.get("data")).get("text/plain"))


def _traceback(output: Mapping[str, Any]) -> str:
    lines = output.get("traceback")
    text = "\n".join(line for line in lines if isinstance(line, str)) if isinstance(lines, list) else ""
    return text or f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"


def _stream(name: str, text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def _text(value: object) -> str:
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 10**9 else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def main(arguments: Sequence[str]) -> int:
    source, target = (*arguments, *("executed.ipynb", "3")[len(arguments) :])
    try:
        with open(_place(source), "rb") as read:  # noqa: PTH123  # may be a descriptor
            rendered = render(read.read()).encode()
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    with open(_place(target), "wb") as out:  # noqa: PTH123
        out.write(rendered)
    return 0


def _place(name: str) -> str | int:
    return int(name) if name.isdigit() else name


def prepare() -> Callable[[], None]:
    """All that can be done before there is a notebook; what it returns renders descriptor 4 to descriptor 3."""
    render(
        b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "1"}, {"cell_type": "markdown", "source": "1"}]}'
    )
    return lambda: _leave(main(["4", "3"]))


def _leave(status: int) -> NoReturn:
    """At once: the worker waits, and to take apart what nbconvert made of a large notebook can take seconds."""
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    _leave(main(sys.argv[1:]))
