"""What intake refuses, and what it says then: one sentence, what the file is, what to do."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.notebook.intake import Refused, normalize
from tests.graders.notebooks import SETUP, as_bytes, code, notebook, text

MAX_BYTES = 200_000


def refusal(data: bytes, filename: str = "lab.ipynb") -> str:
    with pytest.raises(Refused) as refused:
        normalize(data, filename=filename, max_bytes=MAX_BYTES)
    return str(refused.value)


def a_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("lab.ipynb", as_bytes(notebook(code(SETUP))))
    return buffer.getvalue()


def a_tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("lab.ipynb"))
    return buffer.getvalue()


WHOLE = json.dumps(notebook(text("# Lab"), code(SETUP), code("x = 1")), indent=1)
CONFLICT = WHOLE.replace('\n "nbformat": 4', '\n<<<<<<< HEAD\n "nbformat": 4\n=======\n "nbformat": 3\n>>>>>>> theirs')


@pytest.mark.parametrize(
    ("data", "filename", "what", "do"),
    [
        (b"", "lab.ipynb", "is empty", "save the notebook"),
        (b" \n\t", "lab.ipynb", "is empty", "save the notebook"),
        (b"\x00" * 4_096, "lab.ipynb", "is empty", "save the notebook"),
        (b"\xef\xbb\xbf", "lab.ipynb", "is empty", "save the notebook"),
        (a_zip(), "lab.zip", "a ZIP archive", "extract it"),
        (a_zip(), "lab.docx", "a Word document", "submit the notebook itself"),
        (gzip.compress(WHOLE.encode()), "lab.ipynb.gz", "a gzip archive", "extract it"),
        (a_tar(), "lab.tar", "a tar archive", "extract it"),
        (b"%PDF-1.7\n%\xe2\xe3", "lab.pdf", "a PDF document", "submit the notebook itself"),
        (b"\x89PNG\r\n\x1a\n\x00", "plot.ipynb", "an image", "submit the notebook itself"),
        (b"\x80\x81\x82 not text", "lab.ipynb", "not text", "submit the notebook itself"),
        (b"<!DOCTYPE html><title>Sign in</title>", "lab.ipynb", "a web page", "download the notebook again"),
        (b"\n\n  <html lang=en>", "lab.html", "a web page", "download the notebook again"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n",
            "lab.ipynb",
            "Git LFS",
            "git lfs pull",
        ),
        (CONFLICT.encode(), "lab.ipynb", "unfinished Git merge", "resolve the conflict"),
        (b"import torch\n\nx = torch.ones(3)\n", "lab.py", "a Python script", "submit the notebook itself"),
        (b"# %% [markdown]\n# Lab\n", "lab.ipynb", "a Python script", "submit the notebook itself"),
        (b"Dear Ines, here is my lab.", "lab.ipynb", "a text but not a notebook", "submit the notebook itself"),
        (b'{"name": "package", "version": 1}', "lab.ipynb", "JSON but not a notebook", "the lab's starter"),
        (b'{"cells": [1, 2]}', "lab.ipynb", "JSON but not a notebook", "the lab's starter"),
        (b"[InternetShortcut]\nURL=https://x.org", "lab.url", "only a link", "open it"),
        (b"https://x.org/lab.ipynb", "lab.ipynb", "only a link", "open it"),
        (b'{"doc_id": "1", "email": "a@b.c"}', "lab.gdoc", "only a link", "open it"),
        (b"Subject: lab\nMIME-Version: 1.0\n", "lab.eml", "an e-mail", "save the notebook that is in it"),
        (b"---\ntitle: x\n---\n\nimport math\n", "lab.ipynb", "a Markdown document", "submit the notebook itself"),
        (b"# Lab\nimport math\n", "lab.md", "a Markdown document", "submit the notebook itself"),
        (b"PK\x03\x04" + b"-" * 26 + b"[Content_Types].xml", "lab.ipynb", "an Office document", "submit the notebook"),
        (b"PK\x03\x04", "lab.dbc", "a Databricks archive", "submit the notebook itself"),
        (b"\x00\x05\x16\x07" + b"\x00" * 50, "._lab.ipynb", "hidden companion", 'does not start with "._"'),
        ("{“cells”: []}".encode(), "lab.ipynb", "typographic", "download the notebook again"),
        (json.dumps(WHOLE).encode(), "lab.ipynb", "wrapped in other JSON", "download the notebook again"),
        (b'{"content": {"cells": []}, "type": "notebook"}', "lab.ipynb", "wrapped in other JSON", "download"),
        (b"[1, 2]", "lab.ipynb", "JSON but not a notebook", "the lab's starter"),
        (b"NaN", "lab.ipynb", "JSON but not a notebook", "the lab's starter"),
        (b'"text"', "lab.ipynb", "JSON but not a notebook", "the lab's starter"),
        (b"{'cells': []}", "lab.ipynb", "damaged at line 1, column 2", "an earlier copy"),
        (WHOLE.encode() + b"x", "lab.ipynb", "damaged at line", "an earlier copy"),
        (b"[" * 100_000, "lab.ipynb", "nested too deeply", "clear all outputs"),
        (b'{"nbformat": 4, "cells": [], "x": ' + b"9" * 5_000 + b"}", "lab.ipynb", "thousands of digits", "clear all"),
        (as_bytes(notebook()), "lab.ipynb", "no code cells", "submit the one with your answers"),
        (as_bytes(notebook(text("only text"))), "lab.ipynb", "no code cells", "submit the one with your answers"),
        (as_bytes(notebook(code("x"), "cell")), "lab.ipynb", "cell 2 is not readable", "save it there"),
        (as_bytes(notebook(code({"a": 1}))), "lab.ipynb", "cell 1 holds no text", "save it there"),
        (as_bytes(notebook(code(["x", 3]))), "lab.ipynb", "cell 1 holds no text", "save it there"),
        (
            b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": NaN}]}',
            "l",
            "cell 1 holds no text",
            "save it there",
        ),
        (b'{"nbformat": 4, "cells": [], "cells": []}', "lab.ipynb", 'the notebook has "cells" twice', "save it there"),
        (
            b'{"cells": [{"cell_type": "code", "source": "", "source": "x"}]}',
            "l",
            'cell 1 has "source" twice',
            "save it",
        ),
        (b'{"nbformat": 3, "worksheets": [3]}', "lab.ipynb", "an old format", "save it again"),
        (b'{"nbformat": 3, "worksheets": [{"cells": {}}]}', "lab.ipynb", "an old format", "save it again"),
        (as_bytes(notebook(*[{"cell_type": "code"}] * 2_001)), "lab.ipynb", "2,001 cells", "remove those"),
        (
            as_bytes(notebook(code("x <- 1"), metadata={"kernelspec": {"name": "ir", "language": "R"}})),
            "lab.ipynb",
            "written for R",
            "Python notebooks",
        ),
        (
            as_bytes(notebook(code("x"), metadata={"kernelspec": {"name": "julia-1.10"}})),
            "lab.ipynb",
            "written for Julia",
            "Python notebooks",
        ),
        (
            as_bytes(notebook(code(SETUP), code("# ridgepoint-lab: memory-systems/kv-cache"))),
            "lab.ipynb",
            "performance-modeling/roofline and memory-systems/kv-cache",
            "keep only",
        ),
    ],
)
def test_it_says_what_the_file_is_and_what_to_do(data: bytes, filename: str, what: str, do: str) -> None:
    sentence = refusal(data, filename)
    assert what in sentence
    assert do in sentence


def test_a_refusal_is_one_sentence() -> None:
    sentence = refusal(a_zip(), "lab.zip")
    assert sentence.endswith(".")
    assert ". " not in sentence
    assert "\n" not in sentence


def test_too_large_a_file_is_refused_before_it_is_read() -> None:
    assert "clear all outputs" in refusal(b'{"broken' + b" " * MAX_BYTES)


def test_the_size_is_told_in_the_units_of_the_limit() -> None:
    with pytest.raises(Refused, match=r"has 3 MiB and this lab takes at most 2 MiB"):
        normalize(b"x" * 3 * 1024**2, filename="lab.ipynb", max_bytes=2 * 1024**2)


def test_a_large_archive_is_still_called_an_archive() -> None:
    assert "a ZIP archive" in refusal(b"PK\x03\x04" + b"x" * MAX_BYTES)


def test_millions_of_values_are_refused_unread() -> None:
    data = b'{"nbformat": 4, "cells": [], "x": [' + b"[]," * 1_000_001 + b"[]]}"
    with pytest.raises(Refused, match="millions of values"):
        normalize(data, filename="lab.ipynb", max_bytes=10_000_000)


@pytest.mark.parametrize("kept", [1, 2, 17, len(WHOLE) // 3, len(WHOLE) // 2, len(WHOLE) - 2])
def test_a_truncated_download_is_called_that(kept: int) -> None:
    assert "ends in the middle" in refusal(WHOLE[:kept].encode())


def test_a_download_cut_inside_a_character_is_called_truncated() -> None:
    data = json.dumps(notebook(code("# é")), ensure_ascii=False).encode()
    assert "ends in the middle" in refusal(data[: data.index(b"\xc3") + 1])


def valid_or_refused(data: bytes, filename: str = "lab.ipynb") -> None:
    try:
        taken = normalize(data, filename=filename, max_bytes=MAX_BYTES)
    except Refused:
        return
    nbformat.validate(nbformat.reads(taken.notebook.decode(), as_version=4))
    again = normalize(taken.notebook, filename=filename, max_bytes=10 * MAX_BYTES)
    assert again.notebook == taken.notebook
    assert again.lab == taken.lab


@given(st.binary(), st.text())
def test_any_bytes_are_normalized_or_refused(data: bytes, filename: str) -> None:
    valid_or_refused(data, filename)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
sources = st.text(max_size=30) | st.lists(st.text(max_size=8), max_size=3) | st.just(SETUP) | json_values
some_cells = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading", "html", "x", None, 3]),
        "source": sources,
        "input": sources,
        "level": json_values,
        "outputs": json_values,
        "id": st.sampled_from(["a", "b", "", "é", None, 4]),
        "metadata": json_values | st.fixed_dictionaries({"ridgepoint": json_values, "id": json_values}),
        "attachments": json_values | st.dictionaries(st.text(), st.fixed_dictionaries({"image/png": json_values})),
    },
)
notebooks = st.fixed_dictionaries(
    {"nbformat": st.sampled_from([2, 3, 4, 5, None, "x"])},
    optional={
        "cells": st.lists(some_cells | json_values, max_size=4),
        "worksheets": json_values
        | st.lists(st.fixed_dictionaries({"cells": st.lists(some_cells, max_size=3)}), max_size=2),
        "metadata": json_values | st.fixed_dictionaries({"kernelspec": json_values, "language_info": json_values}),
    },
)


@given(notebooks)
def test_anything_shaped_like_a_notebook_is_normalized_or_refused(nb: Any) -> None:
    valid_or_refused(json.dumps(nb).encode())


@given(st.integers(0, len(WHOLE) - 1), st.binary(max_size=3))
def test_a_damaged_notebook_is_normalized_or_refused(place: int, noise: bytes) -> None:
    data = WHOLE.encode()
    valid_or_refused(data[:place] + noise + data[place + len(noise) :])
