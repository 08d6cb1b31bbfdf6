"""The executed notebook as HTML: faithful when it can be, readable when it can't."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graders.notebook import render as module
from graders.notebook.render import MAX_HTML_BYTES, main, render
from tests.graders.notebooks import as_bytes, code, notebook, text


def png(width: int = 100, height: int = 100, extra: int = 40) -> str:
    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + size + b"\0" * extra).decode()


def jpeg(width: int, height: int) -> str:
    segment = b"\xff\xe0\x00\x10" + b"\0" * 14
    frame = b"\xff\xc0\x00\x11\x08" + height.to_bytes(2, "big") + width.to_bytes(2, "big") + b"\0" * 10
    return base64.b64encode(b"\xff\xd8" + segment + frame).decode()


def stream(content: Any, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": content}


def display(**data: Any) -> dict[str, Any]:
    forms = {mime.replace("_", "/").replace("svg", "svg+xml"): content for mime, content in data.items()}
    return {"output_type": "display_data", "data": forms, "metadata": {}}


def shown(*cells: Any) -> str:
    return render(as_bytes(notebook(*cells)))


def output_of(*outputs: Any) -> str:
    return shown(code("x", outputs=list(outputs)))


def is_plain(rendered: str) -> bool:
    return "too large or too intricate" in rendered


def test_it_shows_texts_code_and_outputs() -> None:
    rendered = shown(text("# Roofline"), code("peak = 1", outputs=[stream("measured 3 GB/s")], execution_count=4))
    assert "<h1>Roofline</h1>" in rendered
    assert 'class="n">peak</span>' in rendered
    assert "[4]:" in rendered
    assert "measured 3 GB/s" in rendered


def test_it_is_a_fragment_that_loads_nothing() -> None:
    rendered = shown(text("$x^2$"), code("x", outputs=[display(text_html="<b>t</b>")]))
    assert "<html" not in rendered
    assert "<script" not in rendered
    assert "http" not in rendered


def test_terminal_colors_become_classes() -> None:
    assert '<span class="ansi-red-fg">hot</span>' in output_of(stream("\x1b[31mhot\x1b[0m"))


def test_an_error_shows_its_traceback() -> None:
    error = {
        "output_type": "error",
        "ename": "ValueError",
        "evalue": "bad",
        "traceback": ["\x1b[31mline 1\x1b[0m", "ValueError: bad"],
    }
    rendered = output_of(error)
    assert "line 1" in rendered
    assert "ValueError: bad" in rendered


def test_an_error_without_a_traceback_shows_its_name() -> None:
    assert "ValueError: bad" in output_of({"output_type": "error", "ename": "ValueError", "evalue": "bad"})


def test_text_outputs_are_escaped() -> None:
    assert "&lt;script&gt;" in output_of(stream("<script>"))


def test_raw_cells_are_shown_as_text() -> None:
    assert "<b>" not in shown({"cell_type": "raw", "source": "<b>raw</b>", "metadata": {}})


def test_a_plot_is_a_picture_in_the_page() -> None:
    assert f'src="data:image/png;base64,{png()}"' in output_of(display(image_png=png(), text_plain="<Figure>"))


def test_a_drawing_is_a_picture_too_and_not_markup() -> None:
    rendered = output_of(display(image_svg="<svg><script>1</script></svg>"))
    assert "data:image/svg+xml;base64," in rendered
    assert "<svg" not in rendered


def test_a_table_is_preferred_to_its_text() -> None:
    rendered = output_of(display(text_html="<table><tr><td>1</td></tr></table>", text_plain="plain"))
    assert "<td>1</td>" in rendered
    assert "plain" not in rendered


def test_an_attached_picture_is_shown() -> None:
    cell = text("![plot](attachment:a.png)", attachments={"a.png": {"image/png": png()}})
    assert f"data:image/png;base64,{png()}" in shown(cell)


def test_a_missing_attachment_costs_only_the_picture() -> None:
    rendered = shown(text("before ![plot](attachment:gone.png) after"))
    assert not is_plain(rendered)
    assert "before [The picture plot is left out.] after" in rendered


def test_a_diagram_in_a_text_is_shown_as_its_source() -> None:
    assert "<pre>graph LR" in shown(text("```mermaid\ngraph LR\n```"))


@pytest.mark.parametrize("mime", ["application/javascript", "application/vnd.jupyter.widget-view+json", "text/x-new"])
def test_a_form_that_needs_a_running_notebook_is_replaced_by_a_remark(mime: str) -> None:
    rendered = output_of({"output_type": "display_data", "data": {mime: "x"}, "metadata": {}})
    assert "only a running notebook can show" in rendered
    assert "<script" not in rendered


def test_a_script_beside_a_text_shows_the_text() -> None:
    data = {"application/javascript": "alert(1)", "text/plain": "a widget"}
    assert "a widget" in output_of({"output_type": "display_data", "data": data, "metadata": {}})


# What is too large


@pytest.mark.parametrize("picture", [{"image_png": png(10_000, 5_000)}, {"image_jpeg": jpeg(10_000, 5_000)}])
def test_a_picture_of_50_megapixels_is_left_out(picture: dict[str, str]) -> None:
    rendered = output_of(display(**picture, text_plain="<Figure>"))
    assert "<img" not in rendered
    assert "A picture of 50 megapixels is left out" in rendered


@pytest.mark.parametrize("content", ['"><script>alert(1)</script>', "é", "AAAA=BBB", "AAAA", ""])
def test_a_picture_that_is_none_is_left_out(content: str) -> None:
    rendered = output_of(display(image_png=content, text_plain="<Figure>"))
    assert "<img" not in rendered
    assert "is left out" in rendered


def test_an_ordinary_jpeg_is_shown() -> None:
    assert "<img" in output_of(display(image_jpeg=jpeg(640, 480)))


def test_a_picture_of_many_bytes_is_left_out() -> None:
    assert "<img" not in output_of(display(image_png=png(extra=6_000_000)))


def test_a_long_output_keeps_both_ends() -> None:
    rendered = output_of(stream("start" + "x" * 300_000 + "end"))
    assert len(rendered) < 100_000
    assert "start" in rendered
    assert "end</pre>" in rendered
    assert "characters are left out" in rendered


def test_long_markup_gives_way_to_the_text() -> None:
    rendered = output_of(display(text_html="<p>" + "x" * 500_000, text_plain="short"))
    assert "short" in rendered
    assert len(rendered) < 5_000


def test_many_outputs_end_with_their_number() -> None:
    assert "900 more outputs of this cell are left out" in output_of(*[stream("x")] * 1_000)


@pytest.mark.slow
def test_thousands_of_large_cells_stay_within_the_limit() -> None:
    cells = [code("x = '<&>'\n" * 5_000, outputs=[stream("\x1b[31m<\x1b[0m" * 20_000)])] * 40
    assert len(shown(*cells).encode()) <= MAX_HTML_BYTES


# What nbconvert can't do


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["NBCONVERT_CPU_S", "NBCONVERT_WALL_S"])
def test_a_text_that_takes_too_long_is_shown_plainly(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(module, limit, 1.0)
    rendered = shown(text("[" * 60_000), code("answer = 42", outputs=[stream("forty-two")]))
    assert is_plain(rendered)
    assert "answer = 42" in rendered
    assert "forty-two" in rendered


def test_markup_nested_without_end_is_shown_somehow() -> None:
    assert "answer" in shown(code("answer", outputs=[display(text_html="<div>" * 50_000)]))


def test_plain_text_is_escaped() -> None:
    rendered = module._plainly([code("a < b", outputs=[stream("\x1b[31m<b>\x1b[0m")])])
    assert "a &lt; b" in rendered
    assert "<pre>&lt;b&gt;</pre>" in rendered


def test_plain_text_of_a_huge_notebook_is_short() -> None:
    assert len(module._plainly([code("x" * 100_000)] * 500)) < 3_000_000


@pytest.mark.parametrize(
    "cell",
    [
        {},
        {"cell_type": "code"},
        {"cell_type": "code", "source": None, "outputs": None, "execution_count": "3"},
        {"cell_type": "code", "source": ["a", 3], "outputs": [3, {}, {"output_type": "x"}]},
        {"cell_type": "code", "source": "", "outputs": [{"output_type": "stream"}, {"output_type": "error"}]},
        {"cell_type": "code", "source": "", "outputs": [{"output_type": "display_data", "data": 3, "metadata": []}]},
        {"cell_type": "code", "source": "\ud800", "outputs": [{"output_type": "stream", "text": "\udfff"}]},
        {"cell_type": "markdown", "source": "x", "attachments": {"a": 3, "b": {"image/png": 4}}},
        {"cell_type": "markdown", "source": "{{ 7 * 7 }} {% raw %}"},
    ],
)
def test_odd_cells_are_shown_without_trouble(cell: Any) -> None:
    assert not is_plain(shown(cell, code("answer")))


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"nbformat": 3, "cells": []}', b'{"nbformat": 4, "cells": [3]}', b"[" * 9_999]
)
def test_what_is_no_notebook_is_an_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="no notebook"):
        render(data)


# As a command


def test_it_writes_to_an_open_descriptor(tmp_path: Path) -> None:
    source = tmp_path / "executed.ipynb"
    source.write_bytes(as_bytes(notebook(text("# Roofline"))))
    reading, writing = os.pipe()
    assert main([str(source), str(writing)]) == 0
    with os.fdopen(reading, encoding="utf-8") as result:
        assert "Roofline" in result.read()


def test_as_a_command_it_reads_executed_ipynb_and_writes_a_file(tmp_path: Path) -> None:
    (tmp_path / "executed.ipynb").write_bytes(as_bytes(notebook(text("# Roofline"))))
    command = [sys.executable, "-m", "graders.notebook.render", "executed.ipynb", "out.html"]
    root = Path(module.__file__).parents[2]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, check=True)
    assert "Roofline" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_bad_notebook_ends_the_command_with_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.ipynb").write_text(json.dumps([]))
    assert main([str(tmp_path / "bad.ipynb"), str(tmp_path / "out.html")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
