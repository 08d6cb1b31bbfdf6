"""Authors' Markdown on a page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.lib.markdown import render_markdown


def test_html_stays_text() -> None:
    assert render_markdown("a <script>1</script>") == "<p>a &lt;script&gt;1&lt;/script&gt;</p>\n"


def test_headings_have_anchors() -> None:
    assert render_markdown("## Peak *and* ridge") == '<h2 id="peak-and-ridge">Peak <em>and</em> ridge</h2>\n'


def test_two_equal_headings_have_different_anchors() -> None:
    rendered = render_markdown("## Ridge\n\n## Ridge")
    assert 'id="ridge"' in rendered
    assert 'id="ridge-1"' in rendered


def test_code_is_colored_by_classes() -> None:
    rendered = render_markdown("```python\nimport torch\n```")
    assert '<code class="language-python"><span class="kn">import</span>' in rendered


@pytest.mark.parametrize("language", ["", "no-such-language", '"><b>', "mlir"])
def test_code_of_an_unknown_language_is_shown_as_it_is(language: str) -> None:
    assert "a &lt; b\n</code>" in render_markdown(f"```{language}\na < b\n```")


def test_code_and_tables_can_be_scrolled_with_the_keyboard() -> None:
    assert '<pre class="highlight" tabindex="0">' in render_markdown("```\nx\n```")
    assert 'role="region" aria-label="Table" tabindex="0"><table>' in render_markdown("|a|\n|-|\n|1|")


def test_a_tables_columns_are_aligned() -> None:
    assert '<td style="text-align:right">1</td>' in render_markdown("|a|\n|-:|\n|1|")


def test_a_footnote_leads_there_and_back() -> None:
    rendered = render_markdown("claim[^1] again[^1]\n\n[^1]: source")
    assert 'href="#fn1"' in rendered
    assert 'id="fn1"' in rendered
    for place in ("fnref1", "fnref1:1"):
        assert f'id="{place}"' in rendered
        assert f'href="#{place}"' in rendered
    assert 'aria-label="Back to the text"' in rendered


def test_links_within_the_course_and_out_of_it_stay() -> None:
    rendered = render_markdown("[a](../lab/) [b](https://pytorch.org)")
    assert 'href="../lab/"' in rendered
    assert 'href="https://pytorch.org" rel="noopener noreferrer"' in rendered


def test_a_script_link_is_no_link() -> None:
    assert "<a" not in render_markdown("[a](javascript:alert(1))")


def test_rendering_one_text_leaves_no_trace_in_the_next() -> None:
    alone = render_markdown("# A\n\nb[^1]\n\n[^1]: c")
    render_markdown("# A\n\nd[^2]\n\n[^2]: e")
    assert render_markdown("# A\n\nb[^1]\n\n[^1]: c") == alone


@given(st.text())
@settings(deadline=None, derandomize=True)
def test_any_text_can_be_rendered(text: str) -> None:
    assert "<script" not in render_markdown(text)
