from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.lib import spreadsheet


def cells(*row: str | float | None) -> list[str]:
    text = spreadsheet.to_csv([row]).decode("utf-8-sig")
    [read] = csv.reader(io.StringIO(text, newline=""))
    return read


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1+cmd|'/C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u200b=1", "＝1+1", "|x", "%x"],  # noqa: RUF001
)
def test_what_would_be_a_formula_is_text(text: str) -> None:
    assert cells(text) == [f"'{text}"]


@pytest.mark.parametrize("text", ["x;=1+1", "x; @SUM(A1)", ";=1"])
def test_where_semicolons_part_the_cells_none_becomes_a_formula_either(text: str) -> None:
    """As in most of Europe, where a comma is the decimal point."""
    read = spreadsheet.to_csv([["Sam", text, "y"]]).decode("utf-8-sig")
    assert not any(cell.lstrip().startswith(("=", "@")) for cell in read.split(";"))


@pytest.mark.parametrize("text", ["Ada", "1 = 1", "O'Brien", 'a "b", c', "two\nlines", "q1; q2", ""])
def test_other_text_is_as_it_was(text: str) -> None:
    assert cells("x", text) == ["x", text]


def test_a_negative_number_stays_a_number() -> None:
    assert cells(-1.5) == ["-1.5"]


def test_nothing_is_an_empty_cell() -> None:
    assert cells("x", None) == ["x", ""]


def test_a_spreadsheet_knows_its_encoding() -> None:
    assert spreadsheet.to_csv([["é"]]).startswith(b"\xef\xbb\xbf")


@given(st.text())
def test_no_cell_begins_as_a_formula(text: str) -> None:
    [read] = cells(text) or [""]
    assert not read.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_lone_surrogate_is_no_failure() -> None:
    assert cells("a\ud800b") == ["a?b"]
