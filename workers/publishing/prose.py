"""Links and maths of a course's Markdown, checked without rendering it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from graders.authoring.faults import Fault
from graders.authoring.master import Place
from graders.authoring.source import CourseSource

_SCHEMES: Final = ("http", "https", "mailto")
_HOST: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d+)?", re.IGNORECASE)
_BROKEN_REFERENCE: Final = re.compile(r"\[[^\[\]]+\]\[[^\[\]]*\]")
_CODE_SPAN: Final = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_ENVIRONMENT: Final = re.compile(r"\\(begin|end)\{([^{}]*)\}")


@dataclass(frozen=True)
class Finding:
    """`line` counts from 1 in the text."""

    line: int
    message: str


def check_prose(source: CourseSource) -> list[Fault]:
    """Every Markdown file of the course and every Markdown cell of its labs."""
    texts = {f"lessons/{name}.md": text for name, text in source.lessons.items()}
    texts |= {f"{lab.folder}/instructions.md": lab.instructions for lab in source.labs.values()}
    faults = [
        Fault(file, finding.line, finding.message)
        for file, text in texts.items()
        for finding in [*check_maths(text), *_check_links(source, file, text, _anchors(text))]
    ]
    for lab in source.labs.values():
        anchors = {anchor for _, text in lab.master.prose for anchor in _anchors(text)}
        for place, text in lab.master.prose:
            found = [*check_maths(text), *_check_links(source, f"{lab.folder}/master.ipynb", text, anchors)]
            faults += [lab.fault_in_master(Place(place.cell, finding.line), finding.message) for finding in found]
    return faults


def check_maths(text: str) -> list[Finding]:
    found = []
    for token, line in _blocks(text):
        if token.type == "math_block":
            found += [Finding(line, message) for message in _formula(token.content)]
        for child, at in _inline(token, line):
            if child.type.startswith("math_"):
                found += [Finding(at, message) for message in _formula(child.content)]
        if token.type == "inline" and _loose_dollars(token):
            found.append(Finding(line, "A $ here opens or closes no formula: pair it, or write \\$ for the sign."))
    return found


def _formula(formula: str) -> Iterator[str]:
    """What a TeX reader would stumble over, in sentences."""
    shown = formula.strip().replace("\n", " ")[:60]
    if not shown:
        yield "This formula is empty: remove its dollar signs."
        return
    depth = 0
    for brace in re.sub(r"\\.", "", formula):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            break
    if depth:
        yield f"The braces of the formula {shown!r} are not balanced."
    if len(re.findall(r"\\left(?![a-z])", formula)) != len(re.findall(r"\\right(?![a-z])", formula)):
        yield f"The formula {shown!r} has a \\left without its \\right, or the other way round."
    open_environments: list[str] = []
    for edge, name in _ENVIRONMENT.findall(formula):
        if edge == "begin":
            open_environments.append(name)
        elif not open_environments or open_environments.pop() != name:
            open_environments.append(name)
            break
    if open_environments:
        yield f"The formula {shown!r} has a \\begin without its \\end, or the other way round."


def _loose_dollars(token: Token) -> bool:
    used = sum(2 * len(child.markup) for child in token.children or () if child.type.startswith("math_"))
    plain = re.sub(r"\\\$", "", _CODE_SPAN.sub("", token.content))
    links = sum(str(child.attrGet("href") or child.attrGet("src") or "").count("$") for child in token.children or ())
    return plain.count("$") - links != used


def _check_links(source: CourseSource, file: str, text: str, anchors: set[str]) -> list[Finding]:
    found = []
    for token, line in _blocks(text):
        for child, at in _inline(token, line):
            target = child.attrGet("href") if child.type == "link_open" else None
            target = child.attrGet("src") if child.type == "image" else target
            if target is not None and (message := _link(source, file, unquote(str(target)), anchors)):
                found.append(Finding(at, message))
            if child.type == "image" and not child.content.strip():
                found.append(Finding(at, "This picture has no text for those who can't see it: add it."))
            if child.type == "text" and (match := _BROKEN_REFERENCE.search(child.content)):
                found.append(Finding(at, f"The reference of the link {match[0]!r} is not defined."))
    return found


def _link(source: CourseSource, file: str, target: str, anchors: set[str]) -> str | None:
    """What is wrong with a link's target, as the author wrote it, or None."""
    if not target or re.search(r"\s", target):
        return f"The link {target!r} is empty or holds a blank."
    try:
        parts = urlsplit(target)
        host = parts.netloc
    except ValueError:
        return f"The link {target!r} is no valid address."
    if parts.scheme == "mailto":
        return None if "@" in parts.path else f"The link {target!r} names no mailbox."
    if parts.scheme or host:
        if parts.scheme not in _SCHEMES:
            return f"The link {target!r} must begin with https:// or be relative."
        return None if _HOST.fullmatch(host) else f"The link {target!r} names no valid host."
    if not parts.path:
        return None if parts.fragment in anchors else f"No heading here has the anchor {target!r}."
    if target.startswith("/"):
        return f"The link {target!r} must be relative to this file."
    path = (source.folder / PurePosixPath(file).parent / parts.path).resolve()
    if not path.is_relative_to(source.folder.resolve()) or not path.is_file():
        return f"The link {target!r} leads to no file of this course."
    if parts.fragment and path.suffix == ".md":
        known = _anchors(path.read_text(encoding="utf-8"))
        return None if parts.fragment in known else f"The file of {target!r} has no such heading."
    return None


@cache
def _parser() -> MarkdownIt:
    """Reads what `render_markdown` reads, and links that it would drop in silence."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.use(footnote_plugin).use(anchors_plugin, max_level=4)
    return parser.use(dollarmath_plugin, allow_labels=False, double_inline=True)


def _blocks(text: str) -> Iterator[tuple[Token, int]]:
    """Each block token with its first line, counted from 1."""
    line = 1
    for token in _parser().parse(text):
        if token.map:
            line = token.map[0] + 1
        yield token, line


def _inline(token: Token, line: int) -> Iterator[tuple[Token, int]]:
    """The inline tokens of a block, each with its line."""
    for child in token.children or ():
        yield child, line
        line += child.type in ("softbreak", "hardbreak") or child.content.count("\n")


def _anchors(text: str) -> set[str]:
    return {str(token.attrs["id"]) for token in _parser().parse(text) if token.type == "heading_open" and token.attrs}
