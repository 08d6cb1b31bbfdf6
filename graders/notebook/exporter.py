"""nbconvert's exporter of fragments, made forgiving: a text that it can't convert costs one cell, not the notebook."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from nbconvert.exporters.html import HTMLExporter, contextfilter
from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer, MarkdownWithMath


class Exporter(HTMLExporter):  # type: ignore[misc]  # nbconvert has no types
    def __init__(self) -> None:
        super().__init__(template_name="basic")

    @contextfilter  # type: ignore[untyped-decorator]
    def markdown2html(self, context: Mapping[str, Any], source: str) -> str:
        renderer = _Renderer(
            escape=False,  # our caller sanitizes
            attachments=context.get("cell", {}).get("attachments", {}),
            exclude_anchor_links=True,
        )
        try:
            return str(MarkdownWithMath(renderer=renderer).render(source))
        except Exception:  # noqa: BLE001  # whatever a Markdown parser stumbles over
            return f"<pre>{escape(source)}</pre>"


class _Renderer(IPythonRenderer):  # type: ignore[misc]
    def image(self, text: str, url: str, title: str | None = None) -> str:
        try:
            return str(super().image(text, url, title))
        except InvalidNotebook:  # an attachment that is missing or was too large
            return f"[The picture {escape(text)} is left out.]"

    def block_mermaidjs(self, code: str) -> str:
        return f"<pre>{escape(code)}</pre>"
