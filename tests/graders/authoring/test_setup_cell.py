from __future__ import annotations

import ast
import base64
import io
import zipfile

from graders.authoring.setup_cell import setup_source
from graders.notebook.plan import LAB_LINE

TESTS = {"q1": "name = 'q1'\n\ndef test_it(x):\n    assert x\n", "q2": "name = 'q2'\ntext = '''quoted'''\n"}
LIBRARY = {"labkit/__init__.py": '__version__ = "1.2"\n', "labkit/checks.py": "class Notebook: ...\n"}


def made(files: dict[str, bytes] | None = None) -> str:
    return setup_source("tiny/arithmetic", TESTS, LIBRARY, "1.2", files or {})


def test_it_names_the_lab_on_a_line_of_its_own() -> None:
    match = LAB_LINE.search(made())
    assert match is not None
    assert match[1] == "tiny/arithmetic"


def test_it_holds_the_public_tests_as_data() -> None:
    [value] = [
        node.value
        for node in ast.parse(made()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_public_checks"
    ]
    assert {name: source.lstrip("\n") for name, source in ast.literal_eval(value).items()} == TESTS


def test_it_holds_the_library() -> None:
    [call] = [
        node.value
        for node in ast.parse(made()).body
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and "_load_labkit" in ast.unparse(node.value)
    ]
    version, archive = (ast.literal_eval(argument) for argument in call.args)
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(archive))) as files:
        found = {name: files.read(name).decode() for name in files.namelist()}
    assert (version, found) == ("1.2", LIBRARY)


def test_the_same_lab_gives_the_same_cell() -> None:
    assert made({"data/a.csv": b"1"}) == made({"data/a.csv": b"1"})


def test_a_lab_without_data_says_nothing_of_files() -> None:
    assert "_write_files" not in made()
