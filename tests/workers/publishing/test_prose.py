from __future__ import annotations

from pathlib import Path

import pytest

from graders.authoring.source import read_source
from tests.drafts import LAB, MASTER, Draft
from workers.publishing.prose import check_maths, check_prose


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    return Draft(tmp_path / "courses")


def faults(draft: Draft) -> list[str]:
    source, _ = read_source(draft.courses_dir, "tiny")
    assert source is not None
    return [str(fault) for fault in check_prose(source)]


def instructions(draft: Draft, text: str) -> list[str]:
    draft.write(f"{LAB}/instructions.md", f"# First heading\n\n{text}\n")
    return [fault.removeprefix(f"{LAB}/instructions.md:") for fault in faults(draft)]


def test_the_tiny_course_has_sound_prose(draft: Draft) -> None:
    assert faults(draft) == []


@pytest.mark.parametrize(
    "link",
    [
        "https://example.org/a?b=c#d",
        "mailto:ines@example.org",
        "lab.yaml",
        "../../course.yaml",
        "#first-heading",
        "instructions.md#first-heading",
    ],
)
def test_a_link_that_leads_somewhere_is_no_fault(draft: Draft, link: str) -> None:
    assert instructions(draft, f"See [it]({link}).") == []


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("https://exa mple.org", "holds a blank"),
        ("https://localhost-without-dot/x", "names no valid host"),
        ("javascript:alert(1)", "must begin with https:// or be relative"),
        ("//example.org/x", "must begin with https:// or be relative"),
        ("mailto:nobody", "names no mailbox"),
        ("missing.md", "leads to no file of this course"),
        ("../../../../secret.md", "leads to no file of this course"),
        ("/etc/passwd", "must be relative to this file"),
        ("#second-heading", "No heading here has the anchor"),
        ("instructions.md#second", "has no such heading"),
        ("", "is empty"),
    ],
)
def test_a_broken_link_is_a_fault_on_its_line(draft: Draft, link: str, message: str) -> None:
    [fault] = instructions(draft, f"One line\nand [it](<{link}>).")
    assert fault.startswith("4: ")
    assert message in fault


def test_a_link_to_an_undefined_reference_is_a_fault(draft: Draft) -> None:
    [fault] = instructions(draft, "See [the paper][roofline].")
    assert fault == "3: The reference of the link '[the paper][roofline]' is not defined."


def test_a_picture_needs_words(draft: Draft) -> None:
    draft.write(f"{LAB}/roof.svg", "<svg/>")
    assert "This picture has no text for those who can't see it" in instructions(draft, "![](roof.svg)")[0]


def test_links_in_code_are_not_links(draft: Draft) -> None:
    assert instructions(draft, "`[x](missing.md)`\n\n```\n[y](missing.md)\n```") == []


def test_a_fault_in_the_notebook_s_prose_names_cell_and_line(draft: Draft) -> None:
    draft.edit(MASTER, "Write `intensity(operations, traffic)`", "See [it](missing.md). Write `intensity`")
    line = draft.line(MASTER, "missing.md")
    assert faults(draft) == [f"{MASTER}:{line}: cell 5, line 3: The link 'missing.md' leads to no file of this course."]


@pytest.mark.parametrize(
    "text",
    [
        "Let $x_{1}$ be.",
        "$$\\left( \\frac{a}{b} \\right)$$",
        "It costs \\$5 and \\$6.",
        "`$HOME` and `a $x`",
        "$$\n\\begin{aligned} a &= b \\end{aligned}\n$$",
        "$\\{ a \\}$",
        "[a](https://example.org/$x)",
        "```\n$ ls\n```",
    ],
)
def test_sound_maths_is_no_fault(text: str) -> None:
    assert check_maths(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A $x that never ends", "pair it"),
        ("Let $x_{1$ be.", "braces"),
        ("Let $x}{$ be.", "braces"),
        ("$$\\left( a$$", "\\left"),
        ("$$\n\\begin{aligned} a\n$$", "\\begin"),
        ("$\\begin{a}\\end{b}$", "\\begin"),
    ],
)
def test_unsound_maths_is_a_fault(text: str, message: str) -> None:
    [finding] = check_maths(text)
    assert message in finding.message


def test_a_fault_in_maths_names_its_line() -> None:
    [finding] = check_maths("# One\n\nTwo\nthree $x_{1$ four")
    assert finding.line == 4
