"""What a cleaned page must not hold, whatever was put in: a second opinion, by another parser and from the other side,
on what `server.lib.sanitize` lets stay."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ACTIVE_TAGS: Final = _names(
    """
    animate applet area audio base button canvas dialog embed foreignobject form frame frameset iframe image input
    link map marquee meta noscript object option param picture portal script select set slot source style svg
    template textarea title track use video xmp
    """
)
ADDRESSES: Final = _names("action background cite data formaction href ping poster src srcset usemap")
SAFE_ADDRESS: Final = re.compile(r"#nb-|https?://|mailto:|data:image/(?:png|jpeg|svg\+xml);base64,", re.IGNORECASE)
SAFE_STYLE: Final = re.compile(r"\s*(?:text-align\s*:\s*\w+\s*;?\s*)?")
OPENERS: Final = {"noopener", "noreferrer"}


def dangers(page: str) -> list[str]:
    """Sentences about markup that could run, load, send, cover or rename something."""
    parser = _Parser()
    parser.feed(page)
    parser.close()
    return list(dict.fromkeys([*parser.found, *_controls(page)]))


def _controls(page: str) -> Iterator[str]:
    for character in sorted(set(page)):
        if unicodedata.category(character) == "Cc" and character not in "\n\t\r":
            yield f"the page holds the control character U+{ord(character):04X}"


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ACTIVE_TAGS:
            self.found.append(f"the page holds <{tag}>")
        values = {name: value or "" for name, value in attrs}
        self.found += [
            f"the page holds {tag} {name}={value[:80]!r}" for name, value in values.items() if _bad(name, value)
        ]
        if tag == "a" and "href" in values and not set(values.get("rel", "").split()) >= OPENERS:
            self.found.append(f"a link tells where it came from: {values['href'][:80]}")

    def handle_comment(self, data: str) -> None:
        self.found.append(f"the page holds a comment: {data[:80]}")

    def handle_pi(self, data: str) -> None:
        self.found.append(f"the page holds an instruction: {data[:80]}")


def _bad(name: str, value: str) -> bool:
    if name in ADDRESSES:
        return not SAFE_ADDRESS.match(value)
    if name == "style":
        return not SAFE_STYLE.fullmatch(value)
    if name == "id":
        return not value.startswith("nb-")
    return name.startswith(("on", "xlink", "xmlns", "is", "srcdoc", "target")) or name == "name"
