"""What intake makes of the notebooks that it takes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.notebook.intake import Intake, Refused, check_lab, clean_filename, normalize
from tests.graders.notebooks import SETUP, as_bytes, code, notebook, text

LAB = "performance-modeling/roofline"
OTHER_LAB = "memory-systems/kv-cache"


def take(nb: Any, filename: str = "lab.ipynb") -> Intake:
    data = nb if isinstance(nb, bytes) else as_bytes(nb)
    return normalize(data, filename=filename, max_bytes=1_000_000)


def cells_of(nb: Any) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(take(nb).notebook)["cells"]
    return cells


def sources_of(nb: Any) -> list[str]:
    return [cell["source"] for cell in cells_of(nb)]


def format_3(*cells: dict[str, Any], **fields: Any) -> dict[str, Any]:
    sheet = {"cells": list(cells), "metadata": {}}
    return {"worksheets": [sheet], "metadata": {"name": "lab"}, "nbformat": 3, "nbformat_minor": 0, **fields}


# The canonical form


def test_it_gives_a_valid_notebook_of_format_4_5() -> None:
    nb = nbformat.reads(take(notebook(text("# Lab"), code(SETUP))).notebook.decode(), as_version=4)
    nbformat.validate(nb)
    assert (nb.nbformat, nb.nbformat_minor) == (4, 5)


def test_it_keeps_sources_to_the_last_character() -> None:
    source = "%%time\r\nx = '\t\\d é 😀'  \n\n!ls\n"
    assert sources_of(notebook(code(source))) == [source]


def test_a_source_may_be_a_list_of_lines() -> None:
    assert sources_of(notebook(code(["x = 1\n", "y = 2"]))) == ["x = 1\ny = 2"]


def test_a_source_may_be_missing_or_null() -> None:
    missing = code("")
    del missing["source"]
    assert sources_of(notebook(missing, code(None))) == ["", ""]


def test_it_drops_old_outputs_and_counts() -> None:
    output = {"output_type": "stream", "name": "stdout", "text": "old"}
    (cell,) = cells_of(notebook(code("x", outputs=[output], execution_count=7)))
    assert (cell["outputs"], cell["execution_count"]) == ([], None)


def test_the_same_cells_give_the_same_bytes() -> None:
    run = notebook(code("x = 1", outputs=[{"output_type": "stream", "name": "stdout", "text": "1"}], execution_count=3))
    assert take(run).notebook == take(notebook(code(["x = 1"]))).notebook


def test_normalizing_twice_changes_nothing() -> None:
    once = take(notebook(text("# Lab"), code(SETUP), code(SETUP, id="a"), code("", id="a"))).notebook
    assert take(once).notebook == once


def test_it_remembers_the_hash_of_the_file_as_it_came() -> None:
    data = as_bytes(notebook(code("x")))
    assert take(data).sha256 == hashlib.sha256(data).hexdigest()


def test_an_ordinary_notebook_has_no_notes() -> None:
    assert take(notebook(code(SETUP))).notes == ()


# Formats, encodings, kernels


def test_a_notebook_of_format_3_is_upgraded_as_nbformat_does_it() -> None:
    old = format_3(
        {"cell_type": "heading", "level": 2, "source": ["Title"], "metadata": {}},
        {"cell_type": "code", "input": ["x = 1\n", "y"], "language": "python", "outputs": [], "metadata": {}},
        {"cell_type": "markdown", "source": "text", "metadata": {}},
    )
    theirs = nbformat.convert(nbformat.reads(json.dumps(old), as_version=3), 4)
    assert [(c["cell_type"], c["source"]) for c in cells_of(old)] == [(c.cell_type, c.source) for c in theirs.cells]


def test_an_upgrade_is_told_to_the_student() -> None:
    (note,) = take(format_3({"cell_type": "code", "input": "x"})).notes
    assert "upgraded" in note


@pytest.mark.parametrize("number", [None, 2, 4, 5, "4", 99])
def test_the_format_number_itself_does_not_matter(number: Any) -> None:
    assert sources_of(notebook(code("x"), nbformat=number, nbformat_minor=None)) == ["x"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_it_reads_text_in(encoding: str) -> None:
    data = json.dumps(notebook(code("é = 1")), ensure_ascii=False).encode(encoding)
    assert sources_of(data) == ["é = 1"]


def test_bytes_that_are_no_utf_8_are_read_as_windows_1252_and_the_student_is_told() -> None:
    data = json.dumps(notebook(code("# é QUOTE")), ensure_ascii=False).encode().replace(b"QUOTE", b"\x92")
    taken = take(data)
    assert json.loads(taken.notebook)["cells"][0]["source"] == "# é \u2019"
    assert "Windows-1252" in taken.notes[0]


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf\xef\xbb\xbf%s", b"%s\x00\x00\x00", b"\n %s \r\n"])
def test_what_stands_around_the_json_is_dropped(data: bytes) -> None:
    assert sources_of(data % as_bytes(notebook(code("x")))) == ["x"]


def test_lines_without_line_ends_stay_lines_and_the_student_is_told() -> None:
    taken = take(notebook(code(["x = 1", "y = 2"])))
    assert json.loads(taken.notebook)["cells"][0]["source"] == "x = 1\ny = 2"
    assert "Lines without line ends" in taken.notes[0]


@pytest.mark.parametrize("lines", [["x = 1", "\ny = 2"], ["x = 1\n", "y =", " 2"]])
def test_a_line_end_anywhere_means_that_none_was_lost(lines: list[str]) -> None:
    assert sources_of(notebook(code(lines))) == ["x = 1\ny = 2"]


def test_a_checkpoint_may_be_old_and_the_student_is_told() -> None:
    taken = take(notebook(code(SETUP)), "lab-checkpoint.ipynb")
    assert "may lack your last changes" in taken.notes[0]


@pytest.mark.parametrize("filename", ["LAB.IPYNB", "lab (2).ipynb", "lab.ipynb.txt", "lab.json", "", "лаба"])
def test_the_name_of_the_file_does_not_matter(filename: str) -> None:
    assert take(notebook(code(SETUP)), filename).lab == LAB


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {"kernelspec": None, "language_info": None},
        {"kernelspec": {"name": "conda-env-x", "display_name": "Python [conda env:x]", "language": "python"}},
        {"kernelspec": {"name": "conda-env-x"}},
        {"kernelspec": {"name": "iron"}},
        {"kernelspec": "python3", "language_info": 7},
        {"language_info": {"name": "Python 3"}},
        {"colab": {"provenance": [], "toc_visible": True}, "accelerator": "GPU"},
        {"widgets": {"application/vnd.jupyter.widget-state+json": {"a": {"model_name": "X"}}}},
        {"widgets": {}, "celltoolbar": "Tags", "toc": {"base_numbering": 1}, "vscode": {"interpreter": {}}},
    ],
)
def test_it_takes_any_notebook_metadata(metadata: Any) -> None:
    nb = json.loads(take(notebook(code("x"), metadata=metadata)).notebook)
    assert nb["metadata"]["kernelspec"]["name"] == "python3"


def test_a_starter_saved_with_another_languages_kernel_is_taken_with_a_note() -> None:
    taken = take(notebook(code(SETUP), metadata={"kernelspec": {"name": "ir", "language": "R"}}))
    assert taken.notes == ("The notebook was saved for R; it was executed with Python.",)


# Cells


@pytest.mark.parametrize("cell_id", [None, "", "has space", 7, "x" * 65, "id\ud800"])
def test_an_invalid_cell_id_is_replaced(cell_id: Any) -> None:
    nb = nbformat.reads(take(notebook(code("x", id=cell_id))).notebook.decode(), as_version=4)
    nbformat.validate(nb)


def test_cell_ids_stay() -> None:
    assert cells_of(notebook(code("x", id="q1-answer")))[0]["id"] == "q1-answer"


def test_the_first_of_two_equal_ids_stays_and_the_other_is_made_from_the_cell() -> None:
    first, second = cells_of(notebook(code("x", id="a"), code("x", id="a")))
    assert first["id"] == "a"
    assert second["id"] not in ("a", "")


def test_an_id_that_colab_moved_to_the_metadata_is_found() -> None:
    assert cells_of(notebook(code("x", metadata={"id": "q1-answer"})))[0]["id"] == "q1-answer"


@pytest.mark.parametrize("metadata", [None, [], "x", {"tags": ["skip-execution"]}, {"ridgepoint": 3}, {"scrolled": 1}])
def test_cell_metadata_other_than_ours_is_dropped(metadata: Any) -> None:
    assert cells_of(notebook(code("x", metadata=metadata)))[0]["metadata"] == {}


def test_the_question_of_a_cell_is_kept() -> None:
    metadata = {"ridgepoint": {"question": "q1", "else": 2}, "tags": ["otter_answer_cell"]}
    assert cells_of(notebook(code("x", metadata=metadata)))[0]["metadata"] == {"ridgepoint": {"question": "q1"}}


@pytest.mark.parametrize(("role", "kept"), [("answer", {"role": "answer"}), ("villain", {}), (3, {}), ([], {})])
def test_what_the_author_made_a_cell_for_is_kept(role: Any, kept: dict[str, str]) -> None:
    metadata = {"ridgepoint": {"question": "q1", "role": role}}
    assert cells_of(notebook(code("x", metadata=metadata)))[0]["metadata"] == {"ridgepoint": {"question": "q1", **kept}}


def test_pictures_attached_to_a_text_are_kept() -> None:
    attached = {"a.png": {"image/png": "iVBORw0KGgo="}}
    assert (
        cells_of(notebook(text("![](attachment:a.png)", attachments=attached), code("x")))[0]["attachments"] == attached
    )


@pytest.mark.parametrize("attachments", [None, [], {"a": 3}, {"a": {"text/html": "<b>"}}, {"a": {"image/png": 4}}])
def test_other_attachments_are_dropped(attachments: Any) -> None:
    assert "attachments" not in cells_of(notebook(text("t", attachments=attachments), code("x")))[0]


def test_a_cell_of_an_unknown_type_is_kept_as_raw_text() -> None:
    assert cells_of(notebook({"cell_type": "sql", "source": "select 1"}, code("x")))[0]["cell_type"] == "raw"


def test_lone_surrogates_are_replaced_and_the_student_is_told() -> None:
    taken = take(rb'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x = \"\ud800\""}]}')
    assert json.loads(taken.notebook)["cells"][0]["source"] == 'x = "\ufffd"'
    assert "1" in taken.notes[0]


@pytest.mark.parametrize("constant", ["NaN", "-Infinity", "1e999"])
def test_a_number_that_json_lacks_is_harmless_in_an_old_output(constant: str) -> None:
    data = '{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x", "outputs": [{"data": %s}]}]}' % constant  # noqa: UP031
    assert sources_of(data.encode()) == ["x"]


def test_a_key_that_stands_twice_is_harmless_in_an_old_output() -> None:
    data = b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x", "outputs": [{"a": 1, "a": 2}]}]}'
    assert sources_of(data) == ["x"]


# Which lab


@pytest.mark.parametrize(
    "nb",
    [
        notebook(code("x"), metadata={"ridgepoint": {"lab": LAB, "bundle": "abc"}}),
        notebook(text("# Lab"), code("  #ridgepoint-lab:  performance-modeling/roofline \nimport math")),
        notebook(text(SETUP), code("x = 1")),
        notebook(code(SETUP), code(SETUP)),
    ],
)
def test_it_finds_the_lab(nb: Any) -> None:
    assert take(nb).lab == LAB


def test_the_lab_goes_into_the_canonical_metadata() -> None:
    assert json.loads(take(notebook(code(SETUP))).notebook)["metadata"]["ridgepoint"] == {"lab": LAB}


def test_the_line_that_the_student_sees_outranks_hidden_metadata() -> None:
    assert take(notebook(code(SETUP), metadata={"ridgepoint": {"lab": OTHER_LAB}})).lab == LAB


@pytest.mark.parametrize("lab", [None, 3, "", "no-slash", "../../etc/passwd", "A/B", "a/b/c", "a/" + "b" * 300])
def test_what_is_no_lab_id_is_ignored(lab: Any) -> None:
    assert take(notebook(code(f"# ridgepoint-lab: {lab}"), metadata={"ridgepoint": {"lab": lab}})).lab is None


def test_its_own_lab_is_accepted_as_it_is() -> None:
    taken = take(notebook(code(SETUP)))
    assert check_lab(taken, LAB) is taken


def test_another_labs_notebook_is_refused_naming_both() -> None:
    with pytest.raises(Refused, match=rf"{LAB}.*{OTHER_LAB}"):
        check_lab(take(notebook(code(SETUP))), OTHER_LAB)


def test_a_notebook_of_no_lab_is_told_to_start_from_the_starter() -> None:
    with pytest.raises(Refused, match=f"download the starter of {LAB} again"):
        check_lab(take(notebook(code("x"))), LAB)


PARAGRAPHS = [f"Question {n}: how many bytes move when the tile has {n} rows?" for n in range(1, 7)]
STARTER = json.dumps(notebook(*(text(paragraph) for paragraph in PARAGRAPHS), code(SETUP)))


def test_a_notebook_that_lost_its_id_is_known_by_the_labs_texts() -> None:
    taken = check_lab(take(notebook(*map(text, PARAGRAPHS[:4]), code("x"))), LAB, starter=STARTER)
    assert taken.lab == LAB
    assert "lost its lab's name" in taken.notes[0]


def test_the_labs_question_names_alone_do_not_make_a_notebook_its_own() -> None:
    with pytest.raises(Refused):
        check_lab(take(notebook(text(PARAGRAPHS[0]), code('grader.check("q1")'))), LAB, starter=STARTER)


def test_a_starter_without_texts_makes_no_notebook_its_own() -> None:
    with pytest.raises(Refused):
        check_lab(take(notebook(code("x"))), LAB, starter=json.dumps(notebook(code(SETUP))))


# Names of files


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("lab.ipynb", "lab.ipynb"),
        ("C:\\fakepath\\lab.ipynb", "lab.ipynb"),
        ("../../etc/passwd", "passwd"),
        ("a\x00b\nc\u202egnp.ipynb", "ab cgnp.ipynb"),
        ("  .. ", "notebook.ipynb"),
        ("", "notebook.ipynb"),
        ("\ud800.ipynb", "ipynb"),
        ("x" * 500 + ".ipynb", "x" * 114 + ".ipynb"),
    ],
)
def test_a_filename_is_cleaned(given_name: str, kept: str) -> None:
    assert clean_filename(given_name) == kept


@given(st.text())
def test_a_cleaned_filename_is_printable_short_and_stable(name: str) -> None:
    cleaned = clean_filename(name)
    assert cleaned.isprintable()
    assert 0 < len(cleaned) <= 120
    assert clean_filename(cleaned) == cleaned
