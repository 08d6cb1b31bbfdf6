"""What a student's process says is shown on pages and in terminals: words stay, and what acts on either goes."""

from __future__ import annotations

import pytest

from graders.examiner.text import clean


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[?25lno cursor\x1b[2J\x1b[10;20H", "no cursor"),
        ("\x1b]0;a title\x07after", "after"),
        ("\x1b]8;;https://example.org\x1b\\a link\x1b]8;;\x1b\\", "a link"),
        ("\x1bP+q544e\x1b\\asked", "asked"),
        ("\x9b31mred", "red"),
        ("\x1b]52;c;without an end\nthe next line", "\nthe next line"),
        ("\x9d0;a title\x9cafter", "after"),
        ("\x1bcreset", "reset"),
        ("a\x08b\x00c\x1b", "a\ufffdb\ufffdc\ufffd"),
        ("one\r\ntwo\rthree\n\tfour", "one\ntwo\ufffdthree\n\tfour"),
        ("\u202etxet\u202c \u2066x\u2069", "\ufffdtxet\ufffd \ufffdx\ufffd"),
        ("שלום \u200fعربي", "שלום \u200fعربي"),
        ("\ud800", "?"),
    ],
)
def test_only_words_are_left(said: str, told: str) -> None:
    assert clean(said, 100) == told


def test_what_is_too_long_is_cut() -> None:
    assert clean("x" * 50, 10) == "x" * 8 + " …"


def test_a_flood_of_codes_takes_no_longer_than_its_length() -> None:
    flood = "\x1b[" * 1_000_000 + "\x1b]" * 1_000_000 + "1;" * 1_000_000
    assert clean(flood + "\nthe end", 8_000_000) == "\nthe end"
