"""Tables as CSV that a spreadsheet shows and never runs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

STARTS_A_FORMULA: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "|", "%")  # noqa: RUF001  spreadsheets take both widths
BLANK: Final = " \t\r\n\v\f\0\u00a0\u200b\ufeff"
# Where the comma is the decimal point, a semicolon parts the cells, and no quotation mark is known there.
AFTER_SEMICOLON: Final = re.compile(f";(?=[{BLANK}]*[{re.escape(''.join(STARTS_A_FORMULA))}])")


def to_csv(rows: Iterable[Sequence[str | float | None]]) -> bytes:
    """UTF-8 with a mark, by which spreadsheets know it. Numbers stay numbers; None is an empty cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerows([_safe(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig", "replace")


def _safe(text: str) -> str:
    """An apostrophe before what a spreadsheet would take for a formula: it shows the text, and computes nothing."""
    text = AFTER_SEMICOLON.sub(";'", text.replace("\0", ""))
    bare = text.lstrip(BLANK)
    return f"'{text}" if bare.startswith(STARTS_A_FORMULA) or text[:1] in ("\t", "\r", "\n") else text
