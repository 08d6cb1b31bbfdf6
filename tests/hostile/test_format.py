"""Attack files are read strictly, so that no directive is without effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.corpus import CorpusError, attacks, read
from tests.hostile.labs import LABS

GOOD = '"""Does harm.\n\nnaive: 2/2, it trusts.\nreached: done\n"""\n# %%\nprint("done")\n'


def written(folder: Path, text: str, kind: str = "patching") -> Path:
    (folder / kind).mkdir()
    path = folder / kind / "sample.py"
    path.write_text(text)
    return path


def test_a_file_is_read_as_it_stands(tmp_path: Path) -> None:
    attack = read(written(tmp_path, GOOD + "# %% [markdown]\n# # Title\n# %% after\n1\n# %% next\n%time 2\n"))
    assert (attack.id, attack.title, attack.naive) == ("patching/sample", "Does harm.", "2/2, it trusts.")
    assert [(cell.kind, cell.role, cell.source) for cell in attack.cells] == [
        ("code", "harm", 'print("done")'),
        ("markdown", "harm", "# Title"),
        ("code", "after", "1"),
        ("code", "next", "%time 2"),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD.replace("naive: 2/2, it trusts.\n", ""), "say what a naive grader gives"),
        (GOOD.replace("reached: done\n", ""), "say how it shows that the attack took place"),
        (GOOD.replace("reached", "reeched"), "there is no directive reeched"),
        (GOOD.replace("reached: done", "reached:"), "reached: needs a value"),
        (GOOD.replace("reached: done", "message: done"), "message needs a question"),
        (GOOD.replace("reached: done", "status: good\nreached: done"), "status is complete or partial"),
        (GOOD.replace("reached: done", "score: q1\nreached: done"), "'q1' is no pair"),
        (GOOD.replace("reached: done", "naive: 1\nreached: done"), "naive stands twice"),
        (GOOD.replace("reached: done", "what happened\nreached: done"), "is no directive"),
        (GOOD.replace("reached: done", "refused: no\nreached: done"), "only a file made by build()"),
        (GOOD.replace("reached: done", "uses: nothing\nreached: done"), "there is no uses/nothing.py"),
        (GOOD.replace("# %%", "# %% later"), "there is no cell of kind 'later'"),
        (GOOD.replace("# %%", ""), "neither cells"),
        ("print()", "must begin with a docstring"),
    ],
    ids=lambda value: value[-30:],
)
def test_what_is_not_in_the_format_is_an_error_that_says_what_to_do(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(CorpusError, match=r"patching/sample\.py: ") as error:
        read(written(tmp_path, text))
    assert told in str(error.value)


def test_a_folder_of_no_known_kind_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="there is no kind magic"):
        read(written(tmp_path, GOOD, "magic"))


def test_no_attack_holds_a_canary_itself() -> None:
    """It would be found in the executed notebook without having been stolen."""
    canaries = {canary for lab in LABS.values() for canary in lab.canaries}
    for attack in attacks():
        assert not any(canary in cell.source for canary in canaries for cell in attack.cells), attack.id


def test_every_attack_is_made_on_a_lab_that_exists_and_asks_for_questions_that_it_has() -> None:
    for attack in attacks():
        asked = {*attack.score, *(name for name, _ in attack.messages)}
        assert asked <= LABS[attack.lab].right.keys(), attack.id
