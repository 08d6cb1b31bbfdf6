"""What a file is when it is not a notebook, said so that a student knows what to do next.

Looks at bytes and text only; whoever calls turns the sentence into a refusal.
"""

from __future__ import annotations

import re
from json import JSONDecodeError
from typing import Final

_DOWNLOAD: Final = "download the notebook again with File > Download and submit that .ipynb file"
_EXTRACT: Final = "extract it and submit the .ipynb file inside"
_SUBMIT: Final = "submit the notebook itself (.ipynb)"

_BINARY: Final = (
    (b"PK\x03\x04", "a ZIP archive", _EXTRACT),
    (b"PK\x05\x06", "an empty ZIP archive", _SUBMIT),
    (b"\x1f\x8b", "a gzip archive", _EXTRACT),
    (b"BZh", "a bzip2 archive", _EXTRACT),
    (b"\xfd7zXZ\x00", "an xz archive", _EXTRACT),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", _EXTRACT),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _EXTRACT),
    (b"Rar!\x1a\x07", "a RAR archive", _EXTRACT),
    (b"%PDF-", "a PDF document", _SUBMIT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document", _SUBMIT),
    (b"{\\rtf", "an RTF document", _SUBMIT),
    (b"bplist00", "a web archive or property list", _DOWNLOAD),
    (b"SQLite format 3\x00", "a database", _SUBMIT),
    (b"\x89PNG\r\n\x1a\n", "an image", _SUBMIT),
    (b"\xff\xd8\xff", "an image", _SUBMIT),
    (b"GIF8", "an image", _SUBMIT),
    (
        b"\x00\x05\x16\x07",
        "the hidden companion that a Mac writes beside a file",
        'submit the one whose name does not start with "._"',
    ),
)
_ZIPPED: Final = {  # formats that are ZIP archives, with no .ipynb file to extract
    ".docx": "a Word document",
    ".xlsx": "an Excel workbook",
    ".pptx": "a PowerPoint file",
    ".odt": "an OpenDocument text",
    ".pages": "a Pages document",
    ".dbc": "a Databricks archive",
}
_OFFICE_PART: Final = b"[Content_Types].xml"
_TAR_MAGIC: Final = slice(257, 262)

_CONFLICT: Final = re.compile(r"^(?:<{7}|>{7}|={7}|\|{7})(?:[ \t].*)?$", re.MULTILINE)
_CONFLICT_START: Final = re.compile(r"^<{7} ", re.MULTILINE)
_MARKUP: Final = re.compile(r"<(?:!doctype|!--|\?xml|[a-z])", re.IGNORECASE)
_LINK: Final = re.compile(
    r"\[InternetShortcut\]|https?://\S+\s*\Z|<\?xml[^>]*>\s*<!DOCTYPE plist\b.*<key>URL</key>", re.DOTALL
)
_LINK_KEYS: Final = frozenset({"doc_id", "url"})  # of the files by which Google Drive points to its documents
_MAIL: Final = re.compile(
    r"(?:[A-Za-z-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?(?:MIME-Version|Content-Type|Message-ID):", re.IGNORECASE
)
_MARKDOWN: Final = re.compile(r"---[ \t]*\r?\n(?:[^\n]*\n)*?---[ \t]*\r?$|^```\{", re.MULTILINE)
_MARKDOWN_SUFFIXES: Final = (".md", ".qmd", ".rmd", ".markdown")
_TYPOGRAPHIC: Final = re.compile(r"\{\s*[\u201c\u201d\u201e\u00ab]")
_PYTHON: Final = re.compile(
    r"^(?:#!|# ?%%|# -\*-|import [\w.]+|from [\w.]+ import |def \w+\(|class \w+[(:]|@\w|print\(|if __name__)",
    re.MULTILINE,
)


def binary_kind(data: bytes, filename: str) -> str | None:
    """The sentence for a file that its first bytes give away, or None."""
    if not data.strip(b"\x00 \t\r\n\x0b\x0c\xef\xbb\xbf\xff\xfe"):
        return "This file is empty: save the notebook in Jupyter and submit it again."
    if data.startswith(b"PK\x03\x04"):
        for suffix, kind in _ZIPPED.items():
            if filename.lower().endswith(suffix):
                return f"This file is {kind}: {_SUBMIT}."
        if _OFFICE_PART in data[:4_000]:
            return f"This file is an Office document: {_SUBMIT}."
    if data[_TAR_MAGIC] == b"ustar":
        return f"This file is a tar archive: {_EXTRACT}."
    for magic, kind, advice in _BINARY:
        if data.startswith(magic):
            return f"This file is {kind}: {advice}."
    return None


def not_text() -> str:
    return f"This file is not text, so it can't be a notebook: {_SUBMIT}."


def cut_off() -> str:
    return f"This notebook ends in the middle, as after an interrupted download or copy: {_DOWNLOAD}."


def text_kind(text: str, filename: str, error: JSONDecodeError) -> str:
    """The sentence for a text that is not JSON."""
    start = text.lstrip()
    if start.startswith("version https://git-lfs.github.com/spec/"):
        return (
            "This file is a Git LFS pointer, not the notebook: run `git lfs pull` and submit the file that it fetches."
        )
    if _CONFLICT_START.search(text) and len(_CONFLICT.findall(text)) > 1:
        return (
            "This notebook holds the conflict markers of an unfinished Git merge: "
            "resolve the conflict, open it in Jupyter to see that it works and submit it again."
        )
    if _LINK.match(start[:4_000]):
        return _link()
    if _MARKUP.match(start):
        return f"This file is a web page, perhaps a sign-in page or an export: {_DOWNLOAD}."
    if _TYPOGRAPHIC.match(start):
        return (
            "This notebook's straight quotation marks were changed into typographic ones, as notes and word processors "
            f"do: {_DOWNLOAD}."
        )
    if start.startswith("{"):
        whole = error.msg.startswith("Extra data") or start.rstrip().endswith("}")
        if not whole or error.pos >= len(text.rstrip()):
            return cut_off()
        return (
            f"This notebook is damaged at line {error.lineno}, column {error.colno} ({_reason(error)}), and Jupyter "
            "can't open it either: submit an earlier copy, such as the one that Jupyter keeps in .ipynb_checkpoints, "
            "or mend that place in a text editor."
        )
    if _MAIL.match(start[:4_000]):
        return (
            "This file is an e-mail or a page saved with its pictures: "
            "save the notebook that is in it and submit that .ipynb file."
        )
    if filename.lower().endswith(_MARKDOWN_SUFFIXES) or _MARKDOWN.match(start[:4_000]):
        return f"This file is a Markdown document: {_SUBMIT}, not an export of it."
    if filename.lower().endswith((".py", ".pyw", ".ipy")) or _PYTHON.search(text[:20_000]):
        return f"This file is a Python script: {_SUBMIT}, not an export of it."
    return f"This file is a text but not a notebook: {_SUBMIT}."


def json_kind(value: object) -> str:
    """The sentence for JSON that is not a notebook by itself."""
    inner = value.get("content") if isinstance(value, dict) else value
    if (isinstance(inner, dict) and "cells" in inner) or (isinstance(inner, str) and '"cell_type"' in inner):
        return f"This file is a notebook wrapped in other JSON, as a program or a server writes it: {_DOWNLOAD}."
    if isinstance(value, dict) and len(value) < 10 and any(isinstance(value.get(key), str) for key in _LINK_KEYS):
        return _link()
    return "This file is JSON but not a notebook: submit the .ipynb file made from the lab's starter."


def _link() -> str:
    return (
        "This file is only a link to a document: "
        "open it, download the notebook with File > Download and submit that .ipynb file."
    )


def _reason(error: JSONDecodeError) -> str:
    return error.msg[:1].lower() + error.msg[1:]
