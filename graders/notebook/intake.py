"""Any notebook file in, one canonical notebook out; or one sentence that says why not and what to do.

Nothing is executed, and nothing of the student's code is changed. What grading does not need (old outputs, widget
state, tags, kernel names) is dropped, so the same cells always give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, Final

from graders.notebook import sniff
from graders.notebook.plan import LAB_LINE

ROLES: Final = ("answer", "check", "code", "text")
"""What a cell of the starter was made for; its author's word for a cell that a student may have retyped since."""

MAX_CELLS: Final = 2_000
MAX_FILENAME_CHARS: Final = 120

_MAX_COMMAS: Final = 3_000_000  # bound what the parser allocates: a value costs 30 times the bytes that name it
_MAX_BRACKETS: Final = 1_000_000
_LAB_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,98}/[a-z0-9][a-z0-9-]{0,98}")
_CELL_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ESCAPED: Final = re.compile("[\udc80-\udcff]")  # a byte that is no UTF-8
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ATTACHED: Final = frozenset({"image/png", "image/jpeg", "image/svg+xml"})
_MIN_EVIDENCE_CHARS: Final = 20


class Refused(ValueError):
    """The file can't be graded. The message is one sentence for the student."""


@dataclass(frozen=True)
class Intake:
    """`notebook` is canonical .ipynb (nbformat 4.5); `sha256` is that of the file as it came, in hexadecimal."""

    notebook: bytes
    lab: str | None
    sha256: str
    notes: tuple[str, ...]
    filename: str


def normalize(data: bytes, *, filename: str, max_bytes: int) -> Intake:
    """Read any .ipynb of format 2 to 5. Whatever the bytes, it returns or raises Refused.

    Raises:
        Refused: the file is no notebook, or one that can't be graded.
    """
    name = clean_filename(filename)
    if sentence := sniff.binary_kind(data, name):
        raise Refused(sentence)
    if len(data) > max_bytes:
        raise Refused(
            f"This file has {_mib(len(data))} and this lab takes at most {_mib(max_bytes)}: "
            "clear all outputs, remove large images and submit it again."
        )
    text, foreign = _decode(data)
    raw = _parse(text, name)
    metadata = _mapping(raw.get("metadata"))
    cells = [_Cell.read(number, cell) for number, cell in enumerate(_raw_cells(raw), 1)]
    if not any(cell.kind == "code" for cell in cells):
        raise Refused(
            "This notebook has no code cells, so there is nothing to grade: submit the one with your answers."
        )
    lab = _lab(cells, metadata)
    language = _foreign_language(metadata)
    if language and not lab:
        raise Refused(
            f"This notebook is written for {language}: this lab takes Python notebooks made from its starter."
        )
    return Intake(
        notebook=_canonical(cells, lab, metadata),
        lab=lab,
        sha256=hashlib.sha256(data).hexdigest(),
        notes=tuple(_notes(raw, cells, name=name, language=language, foreign=foreign)),
        filename=name,
    )


def check_lab(intake: Intake, expected_lab: str, *, starter: str | None = None) -> Intake:
    """The intake, if it belongs to the lab.

    A notebook that lost its id (the setup cell deleted, the metadata stripped) is taken as the lab's when it still
    holds at least half of the texts of `starter`, the lab's .ipynb: names like "q1" are the same in every lab, an
    author's paragraphs are not.

    Raises:
        Refused: it belongs to another lab, or nothing tells to which.
    """
    if intake.lab == expected_lab:
        return intake
    if intake.lab:
        raise Refused(
            f"This notebook belongs to the lab {intake.lab}, not to {expected_lab}: "
            "submit it on its own lab's page, or choose the right notebook here."
        )
    if starter is not None and _shared_texts(intake.notebook, starter) >= 0.5:
        note = f"The notebook lost its lab's name; its texts are those of {expected_lab}, so it was graded as that."
        return replace(intake, lab=expected_lab, notes=(*intake.notes, note))
    raise Refused(
        f"This notebook does not say which lab it belongs to: download the starter of {expected_lab} again, "
        "copy your cells into it and submit that."
    )


def clean_filename(filename: str) -> str:
    """The last part of a path, without control and formatting characters, at most MAX_FILENAME_CHARS long."""
    last = re.split(r"[/\\]", filename)[-1]
    visible = "".join(" " if c.isspace() else c for c in last if c.isspace() or unicodedata.category(c)[0] != "C")
    name = " ".join(unicodedata.normalize("NFC", visible).split()).strip(". ")
    suffix = PurePosixPath(name).suffix[:20]
    if len(name) > MAX_FILENAME_CHARS:
        name = name[: MAX_FILENAME_CHARS - len(suffix)].rstrip() + suffix
    return name or "notebook.ipynb"


class _Repeated(dict[str, Any]):
    """An object in which a key stood twice. Harmless in what is dropped, ambiguous in what is kept."""

    __slots__ = ("key",)
    key: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) == len(pairs):
        return plain
    repeated = _Repeated(plain)
    repeated.key = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return repeated


def _decode(data: bytes) -> tuple[str, bool]:
    """The text, and whether some of its bytes had to be read as Windows-1252."""
    encoding = json.detect_encoding(data)
    try:
        return data.decode(encoding), False
    except UnicodeDecodeError as error:
        is_json = data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
        if is_json and error.end >= len(data):
            raise Refused(sniff.cut_off()) from error
        if not is_json or not encoding.startswith("utf-8"):
            raise Refused(sniff.not_text()) from error
    escaped = data.decode(encoding, "surrogateescape")
    return _ESCAPED.sub(lambda byte: bytes([ord(byte[0]) - 0xDC00]).decode("cp1252", "replace"), escaped), True


def _parse(text: str, filename: str) -> dict[str, Any]:
    text = text.lstrip("\ufeff").rstrip("\0 \t\r\n")  # a second byte-order mark; what a file system allocated ahead
    values = text.count(",") / _MAX_COMMAS, (text.count("[") + text.count("{")) / _MAX_BRACKETS
    if max(values) > 1 and text.lstrip().startswith(("{", "[")):
        raise Refused("This notebook holds millions of values: clear all outputs and submit it again.")
    try:
        raw = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise Refused(sniff.text_kind(text, filename, error)) from error
    except RecursionError as error:
        raise Refused("This notebook is nested too deeply: clear all outputs and submit it again.") from error
    except ValueError as error:  # Python's own limit on the digits of an integer
        raise Refused(
            "This notebook holds a number of thousands of digits: clear all outputs and submit it again."
        ) from error
    if not isinstance(raw, dict) or not _looks_like_a_notebook(raw):
        raise Refused(sniff.json_kind(raw))
    return _unambiguous(raw, "the notebook")


def _looks_like_a_notebook(raw: Mapping[str, Any]) -> bool:
    if isinstance(raw.get("worksheets"), list):
        return True
    cells = raw.get("cells")
    if not isinstance(cells, list):
        return False
    return "nbformat" in raw or any(isinstance(cell, dict) and "cell_type" in cell for cell in cells)


def _unambiguous(raw: dict[str, Any], where: str) -> dict[str, Any]:
    if isinstance(raw, _Repeated):
        key = _valid_text(raw.key[:40])
        raise Refused(f'In this file {where} has "{key}" twice: open it in Jupyter, save it there and submit it again.')
    return raw


def _raw_cells(raw: Mapping[str, Any]) -> list[object]:
    cells = raw.get("cells")
    if not isinstance(cells, list):  # formats 2 and 3 kept cells in worksheets
        cells = []
        for sheet in raw["worksheets"]:
            held = sheet.get("cells") if isinstance(sheet, dict) else None
            if not isinstance(held, list):
                raise Refused(
                    "This notebook of an old format has no readable cells: open it in Jupyter and save it again."
                )
            cells.extend(held)
    if len(cells) > MAX_CELLS:
        raise Refused(
            f"This notebook has {len(cells):,} cells and at most {MAX_CELLS:,} are graded: remove those it can spare."
        )
    return cells


@dataclass(frozen=True)
class _Cell:
    kind: str
    source: str
    id: str | None
    question: str | None
    role: str | None
    attachments: Mapping[str, Mapping[str, str]]
    repaired: bool
    rejoined: bool

    @classmethod
    def read(cls, number: int, raw: object) -> _Cell:
        where = f"cell {number}"
        if not isinstance(raw, dict):
            raise Refused(
                f"In this notebook {where} is not readable: open it in Jupyter, save it there and submit it again."
            )
        cell = _unambiguous(raw, where)
        kind, prefix = _kind(cell)
        raw_source = cell.get("input") if cell.get("source") is None else cell["source"]
        source = _joined(raw_source, where)
        metadata = _mapping(cell.get("metadata"))
        ours = _mapping(metadata.get("ridgepoint"))
        question, role = ours.get("question"), ours.get("role")
        text = prefix + _valid_text(source)
        return cls(
            kind=kind,
            source=text,
            id=_cell_id(cell.get("id")) or _cell_id(metadata.get("id")),  # Colab keeps ids in the metadata
            question=_valid_text(question) if isinstance(question, str) and len(question) <= 100 else None,
            role=role if role in ROLES else None,
            attachments={} if kind == "code" else _attachments(cell.get("attachments")),
            repaired=text != prefix + source,
            rejoined=_lacks_line_ends(raw_source),
        )


def _kind(cell: Mapping[str, Any]) -> tuple[str, str]:
    """The cell's type in format 4, and what its text starts with when it was another one."""
    kind = cell.get("cell_type")
    if kind in ("code", "markdown", "raw"):
        return str(kind), ""
    if kind == "heading":
        level = cell.get("level")
        return "markdown", "#" * (level if isinstance(level, int) and 1 <= level <= 6 else 1) + " "
    if kind == "html":
        return "markdown", ""
    return ("code" if "outputs" in cell or "input" in cell else "raw"), ""


def _joined(source: object, where: str) -> str:
    if source is None:
        return ""
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return ("\n" if _lacks_line_ends(source) else "").join(source)
    raise Refused(f"In this notebook {where} holds no text: open it in Jupyter, save it there and submit it again.")


def _lacks_line_ends(source: object) -> bool:
    """Whether these are lines that some program split without keeping the ends that every other keeps."""
    return isinstance(source, list) and len(source) > 1 and not any("\n" in str(line) for line in source)


def _cell_id(value: object) -> str | None:
    return value if isinstance(value, str) and _CELL_ID.fullmatch(value) else None


def _attachments(raw: object) -> dict[str, dict[str, str]]:
    kept: dict[str, dict[str, str]] = {}
    for name, bundle in _mapping(raw).items():
        pictures = {}
        for mime, content in _mapping(bundle).items():
            text = "".join(content) if _is_texts(content) else content
            if mime in _ATTACHED and isinstance(text, str):
                pictures[mime] = _valid_text(text)
        if pictures:
            kept[_valid_text(name)] = pictures
    return kept


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _valid_text(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _lab(cells: Sequence[_Cell], metadata: Mapping[str, Any]) -> str | None:
    """The lab's id: a code cell's line is what the student sees, so it outranks metadata; other text comes last."""
    in_code = _lab_lines(cell for cell in cells if cell.kind == "code")
    if len(in_code) > 1:
        raise Refused(
            f"This notebook holds the setup cells of the labs {in_code[0]} and {in_code[1]}: "
            "keep only that of the lab you are submitting."
        )
    stored = _mapping(metadata.get("ridgepoint")).get("lab")
    in_metadata = [stored] if isinstance(stored, str) and _LAB_ID.fullmatch(stored) else []
    in_text = _lab_lines(cell for cell in cells if cell.kind != "code")
    return next(iter([*in_code, *in_metadata, *in_text]), None)


def _lab_lines(cells: Iterable[_Cell]) -> list[str]:
    found = (match[1] for cell in cells for match in LAB_LINE.finditer(cell.source))
    return list(dict.fromkeys(lab for lab in found if _LAB_ID.fullmatch(lab)))


def _foreign_language(metadata: Mapping[str, Any]) -> str | None:
    """The language that the notebook says it is in, unless that may be Python."""
    kernel, info = _mapping(metadata.get("kernelspec")), _mapping(metadata.get("language_info"))
    said = [name for name in (kernel.get("language"), info.get("name")) if isinstance(name, str) and name.strip()]
    if not said and isinstance(kernel.get("name"), str):
        said = [language for start, language in (("ir", "R"), ("julia", "Julia")) if _is_kernel(kernel["name"], start)]
    if not said or any("python" in name.lower() for name in said):
        return None
    return " ".join(_valid_text(said[0]).split())[:40] if said[0].isprintable() else "another language"


def _is_kernel(name: str, start: str) -> bool:
    return re.fullmatch(rf"{start}[\d.-]*", name.lower()) is not None


def _canonical(cells: Sequence[_Cell], lab: str | None, metadata: Mapping[str, Any]) -> bytes:
    ours = {"lab": lab} if lab else {}
    bundle = _mapping(metadata.get("ridgepoint")).get("bundle")
    if isinstance(bundle, str) and re.fullmatch(r"[\w.:-]{1,200}", bundle, re.ASCII):
        ours["bundle"] = bundle
    notebook = {
        "cells": [_plain_cell(cell, cell_id) for cell, cell_id in zip(cells, _unique_ids(cells), strict=True)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            **({"ridgepoint": ours} if ours else {}),
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def _plain_cell(cell: _Cell, cell_id: str) -> dict[str, Any]:
    ours = {"question": cell.question, "role": cell.role}
    plain: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": cell_id,
        "metadata": {"ridgepoint": {key: value for key, value in ours.items() if value}} if cell.question else {},
        "source": cell.source,
    }
    if cell.kind == "code":
        plain |= {"execution_count": None, "outputs": []}
    elif cell.attachments:
        plain["attachments"] = cell.attachments
    return plain


def _unique_ids(cells: Sequence[_Cell]) -> Iterator[str]:
    """Each cell's own id; the first of several keeps it, the others get one made from their place and text."""
    taken = {cell.id for cell in cells}
    used: set[str] = set()
    for index, cell in enumerate(cells):
        chosen = cell.id
        attempt = 0
        while chosen is None or chosen in used or (attempt and chosen in taken):
            attempt += 1
            chosen = hashlib.sha256(f"{index} {attempt} {cell.source}".encode()).hexdigest()[:12]
        used.add(chosen)
        yield chosen


def _notes(
    raw: Mapping[str, Any], cells: Sequence[_Cell], *, name: str, language: str | None, foreign: bool
) -> Iterator[str]:
    if name.lower().endswith("-checkpoint.ipynb"):
        yield (
            f"{name} is a copy that Jupyter keeps by itself, and it may lack your last changes: "
            "if it does, hand in the notebook beside the folder .ipynb_checkpoints."
        )
    if foreign:
        yield "The file was not saved in UTF-8: letters beyond English were read as Windows-1252, so check them."
    if "worksheets" in raw and not isinstance(raw.get("cells"), list):
        yield "The notebook had an old format (3 or earlier) and was upgraded."
    if language:
        yield f"The notebook was saved for {language}; it was executed with Python."
    if any(cell.repaired for cell in cells):
        yield f"Characters that are not valid Unicode were replaced ({_places(cell.repaired for cell in cells)})."
    if any(cell.rejoined for cell in cells):
        yield f"Lines without line ends were taken for lines of their own ({_places(cell.rejoined for cell in cells)})."


def _places(chosen: Iterable[bool]) -> str:
    numbers = [str(number) for number, each in enumerate(chosen, 1) if each]
    return f"cells counted from the top: {', '.join(numbers[:10])}{', ...' if len(numbers) > 10 else ''}"


def _shared_texts(notebook: bytes, starter: str) -> float:
    """The share of the starter's longer texts that the notebook still holds."""
    expected = set(_texts(json.loads(starter)))
    return len(expected & set(_texts(json.loads(notebook)))) / len(expected) if expected else 0.0


def _texts(notebook: Mapping[str, Any]) -> Iterator[str]:
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            text = " ".join(_joined(cell["source"], "a cell").split())
            if len(text) >= _MIN_EVIDENCE_CHARS:
                yield text


def _mib(size: int) -> str:
    return f"{math.ceil(size * 10 / 1024**2) / 10:g} MiB"
