"""The second opinion on cleaned pages finds what it is there to find."""

from __future__ import annotations

import pytest

from tests.hostile.markup import dangers


@pytest.mark.parametrize(
    "page",
    [
        "<script>1</script>",
        "<p onclick=go()>x</p>",
        "<img src=x onerror=go()>",
        '<a href="java&#115;cript:go()" rel="noopener noreferrer">x</a>',
        '<a href="https://example.org">x</a>',
        '<img src="//example.org/x.png">',
        '<img src="data:text/html;base64,PHA+">',
        '<p style="background: url(https://example.org)">x</p>',
        '<p style="position:fixed">x</p>',
        '<p id="header">x</p>',
        "<svg><a xlink:href=x>",
        "<form action=/grades><input></form>",
        "<!-- x -->",
        "<?xml version='1.0'?>",
        "<p>\x1b[31mred</p>",
        "<p>\x9b31mred</p>",
    ],
)
def test_each_danger_is_found(page: str) -> None:
    assert dangers(page)


def test_a_harmless_page_has_none() -> None:
    page = (
        '<p id="nb-a" class="x">a &lt;script&gt; <a href="https://example.org" rel="noopener noreferrer">b</a></p>'
        '<td style="text-align: right">1</td><img src="data:image/png;base64,iVBO" alt="onload=x">'
    )
    assert dangers(page) == []
