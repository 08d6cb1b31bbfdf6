"""What of a student's HTML reaches a page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.lib import sanitize
from server.lib.sanitize import UNSHOWABLE, authored_html, clean_notebook, notebook_html

PNG = "data:image/png;base64,iVBORw0KGgo="
REL = 'rel="noopener noreferrer nofollow"'


@pytest.mark.parametrize(
    "html",
    [
        "<h2>Title</h2>",
        "<p>one <em>two</em> <code>three</code><br></p>",
        f'<img src="{PNG}" alt="a plot">',
        '<img src="data:image/jpeg;base64,/9j/4AAQ" alt="a photo">',
        '<img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=" alt="a drawing">',
        '<div class="highlight hl-ipython3"><pre><span class="kn">import</span> <span class="nn">os</span></pre></div>',
        '<div class="cell border-box-sizing code_cell rendered"><div class="prompt input_prompt">In [1]:</div></div>',
        '<pre><span class="ansi-red-intense-fg">hot</span></pre>',
        '<table class="dataframe"><thead><tr><th scope="col">a</th></tr></thead></table>',
        '<table><tbody><tr><td colspan="2">1</td></tr></tbody></table>',
        '<td style="text-align:right">1</td>'.join(["<table><tbody><tr>", "</tr></tbody></table>"]),
        "<details><summary>more</summary>text</details>",
        '<math display="block"><mfrac><mi>a</mi><mn>2</mn></mfrac><mo stretchy="false">)</mo></math>',
        '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math>',
    ],
)
def test_it_keeps(html: str) -> None:
    assert clean_notebook(html) == html


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<script>alert(1)</script>a", "a"),
        ("<style>*{display:none}</style>a", "a"),
        ("<style scoped>td{}</style><p>a</p>", "<p>a</p>"),
        ('<iframe src="https://example.org"></iframe>a', "a"),
        ('<form action="/sign-out"><input name=x><button>go</button></form>', "go"),
        ('<object data="x"></object><embed src="x">a', "a"),
        ("<svg><text>a</text><script>1</script></svg>b", "b"),
        ("<template><p>a</p></template>b", "b"),
        ('<link rel="stylesheet" href="x"><meta http-equiv="refresh" content="0"><base href="//evil">a', "a"),
        ('<p onclick="alert(1)" style="position:fixed" tabindex="9">a</p>', "<p>a</p>"),
        ('<img src="x" onerror="alert(1)">', "<img>"),
        ('<img src="https://example.org/pixel.png">', "<img>"),
        ('<img src="/media/pixel.png" srcset="https://example.org/a 2x">', "<img>"),
        ('<img src="data:image/svg+xml,<svg onload=alert(1)>">', "<img>"),
        ('<img src="data:text/html;base64,PGI+">', "<img>"),
        ('<img src="data:image/gif;base64,R0lGOD=">', "<img>"),
        ('<td style="text-align:right;background:url(//evil)">1</td>', "1"),
        ('<p class="btn score n">a</p>', '<p class="n">a</p>'),
        ('<p class="btn">a</p>', "<p>a</p>"),
        ("<!-- secret -->a", "a"),
        (
            '<math><maction actiontype="statusline#x" href="javascript:alert(1)"><mi>a</mi></maction></math>',
            "<math><mi>a</mi></math>",
        ),
        ('<math href="javascript:alert(1)"><mi href="https://a.b">a</mi></math>', "<math><mi>a</mi></math>"),
        ('<math><annotation-xml encoding="text/html"><b>a</b></annotation-xml></math>', "<math></math>"),
    ],
)
def test_it_drops(html: str, left: str) -> None:
    assert clean_notebook(html) == left


@pytest.mark.parametrize("href", ["https://pytorch.org/docs", "http://a.b/c?d=e", "mailto:ines@example.org"])
def test_a_link_out_tells_nothing_about_us(href: str) -> None:
    assert clean_notebook(f'<a href="{href}" target="_top">a</a>') == f'<a href="{href}" {REL}>a</a>'


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "java\nscript:x",
        "data:text/html,x",
        PNG,
        "vbscript:x",
        "//evil.org",
        "/sign-out",
        "file:///etc",
    ],
)
def test_a_link_that_is_none_of_ours_loses_its_target(href: str) -> None:
    assert clean_notebook(f'<a href="{href}">a</a>') == f"<a {REL}>a</a>"


def test_ids_never_meet_those_of_the_page() -> None:
    assert clean_notebook('<h2 id="score">a</h2>') == '<h2 id="nb-score">a</h2>'


def test_links_within_the_notebook_still_work() -> None:
    assert 'href="#nb-part"' in clean_notebook('<a href="#part">a</a>')


FORBIDDEN = re.compile(
    r"<(?:script|style|iframe|form|svg|object|embed|link|meta|base)\b|\son\w+=|javascript:", re.IGNORECASE
)
PIECES = """
<script> </script> <style> <svg> <math> <mtext> <annotation-xml> <textarea> <title> <!-- --> <![CDATA[ ]]> <p <a < > " '
onclick=a href="javascript:a" <img/src=x/onerror=a> <table> <mglyph> </ <noscript> <template> <desc> <foreignObject>
<select> x &lt;
"""
pieces = st.sampled_from([" ", "\x00", *PIECES.split()])


@given(st.lists(pieces, max_size=12).map("".join))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_nothing_forbidden_is_left_however_often_it_is_parsed(html: str) -> None:
    once = clean_notebook(html)
    for markup in (once, clean_notebook(once)):
        assert not FORBIDDEN.search(re.sub(r">[^<]*<", "><", f">{markup}<"))


# In a process of its own


def test_it_gives_the_same_in_its_own_process() -> None:
    html = '<p onclick="a">é 😀</p><script>1</script>'
    assert notebook_html(html) == clean_notebook(html) == "<p>é 😀</p>"


def test_an_empty_notebook_is_empty() -> None:
    assert notebook_html("") == ""


def test_a_lone_surrogate_is_harmless() -> None:
    assert notebook_html("<p>\ud800</p>") == "<p>?</p>"


def test_codes_that_a_terminal_would_obey_go_however_they_are_written() -> None:
    assert notebook_html("<p>a\x1b]0;b\x07&#27;[31m&#x90;c\x7f\td\ne</p>") == "<p>a]0;b[31mc\td\ne</p>"


def test_too_much_is_not_shown() -> None:
    assert notebook_html("x" * (sanitize.MAX_BYTES + 1)) == UNSHOWABLE


def test_markup_that_would_take_minutes_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sanitize, "_CPU_S", 1)
    assert notebook_html("<div>" * 300_000) == UNSHOWABLE


def test_markup_that_grows_beyond_bounds_is_not_shown() -> None:
    assert notebook_html("<p>" + "".join(f"<b id={n}>" for n in range(3_000)) + "<p>x" * 20_000) == UNSHOWABLE


# Authors


def test_an_authors_classes_ids_and_relative_links_stay() -> None:
    html = '<h2 id="part" class="wide">a</h2><img src="figures/a.svg" alt="b">'
    assert authored_html(html) == html
    assert 'href="../lab/"' in authored_html('<a href="../lab/">a</a>')


@pytest.mark.parametrize(
    "html", ['<img src="//evil/a.png">', '<img src="https://evil/a.png">', '<img src="\\\\evil\\a">']
)
def test_an_authors_pictures_come_from_the_course(html: str) -> None:
    assert authored_html(html) == "<img>"
