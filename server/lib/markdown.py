"""Authors' Markdown as safe HTML: CommonMark with tables, strikethrough, footnotes, heading anchors, colored code."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.footnote import footnote_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from server.lib.sanitize import authored_html


def render_markdown(text: str) -> str:
    """HTML in the text stays text. Wide tables and code can be scrolled with the keyboard."""
    return authored_html(_parser().render(text))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted})
    parser.enable(["table", "strikethrough"]).use(footnote_plugin).use(anchors_plugin, max_level=4)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    parser.add_render_rule("footnote_anchor", _footnote_anchor)
    return parser


def _highlighted(code: str, language: str, attributes: str) -> str:
    try:
        lexer = get_lexer_by_name(language) if language else None
    except ClassNotFound:
        lexer = None
    body = highlight(code, lexer, HtmlFormatter(nowrap=True)) if lexer else escape(code)
    name = f' class="language-{escape(language)}"' if language else ""
    return f'<pre class="highlight" tabindex="0"><code{name}>{body}</code></pre>\n'


def _table_open(
    renderer: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    return '<div class="scroller" role="region" aria-label="Table" tabindex="0"><table>\n'


def _table_close(
    renderer: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    return "</table></div>\n"


def _footnote_anchor(
    renderer: RendererProtocol, tokens: Sequence[Token], index: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    meta = tokens[index].meta
    number = meta["id"] + 1
    again = f":{meta['subId']}" if meta["subId"] > 0 else ""
    return f' <a href="#fnref{number}{again}" class="footnote-backref" aria-label="Back to the text">↩︎</a>'
