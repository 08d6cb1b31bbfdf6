"""Otter's notebooks made ours: the setup cell, stable cell ids, clean metadata, no outputs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

Notebook = dict[str, Any]

MAX_RESULT_BYTES: Final = 32 * 1024 * 1024
"""How much the jail that generates the notebooks may return."""

_CHECK: Final = re.compile(r"""grader\.check\((["'])(\w+)\1\)""")
_SOLUTION_TAG: Final = "otter_assign_solution_cell"
_ANSWER_TAGS: Final = frozenset({"otter_answer_cell", _SOLUTION_TAG})
_MARK_LINE: Final = re.compile(r"\s*# (BEGIN|END) SOLUTION( NO PROMPT)?\s*")
_MARK_TAIL: Final = re.compile(r"\s*# ?SOLUTION( NO PROMPT)?\s*$")


def finish(raw: Notebook, *, lab: str, bundle: str, setup: str) -> Notebook:
    """The notebook as a student gets it; `raw` comes from `assign`, `setup` is the setup cell's source."""
    cells = [_setup_cell(setup)]
    counts: Counter[str] = Counter()
    for cell in raw["cells"]:
        finished = _cell(cell, counts)
        if finished is not None:
            cells.append(finished)
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "ridgepoint": {"lab": lab, "bundle": bundle},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def text_of(notebook: Notebook) -> str:
    """The canonical .ipynb text."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def with_answer(solution: str, question: str, code: str) -> str:
    """The solution's .ipynb with `code` in place of one question's answer cells (the first; further ones go empty).

    Raises:
        KeyError: the question has no answer cell.
    """
    notebook: Notebook = json.loads(solution)
    answers = [cell for cell in notebook["cells"] if _role(cell) == (question, "answer") and "outputs" in cell]
    if not answers:
        raise KeyError(question)
    for cell in answers:
        cell["source"] = ""
    answers[0]["source"] = code
    return text_of(notebook)


def sources(notebook: Notebook) -> str:
    """All that a reader of the notebook can read, base64 aside."""
    return "\n\n".join(str(cell["source"]) for cell in notebook["cells"])


def without_marks(source: str) -> str:
    """A solution's code without otter's marks, and without the prompt that only the starter shows."""
    kept, in_prompt = [], False
    for line in source.split("\n"):
        if line.rstrip().endswith("# BEGIN PROMPT"):
            in_prompt = True
        elif line.rstrip().endswith("# END PROMPT"):
            in_prompt = False
        elif not in_prompt and not _MARK_LINE.fullmatch(line):
            kept.append(_MARK_TAIL.sub("", line))
    return "\n".join(kept)


def _setup_cell(source: str) -> dict[str, Any]:
    hidden = {"cellView": "form", "collapsed": True, "jupyter": {"source_hidden": True}}
    metadata = {"deletable": False, "editable": False, "ridgepoint": {"role": "setup"}, **hidden}
    return _code_cell("setup", source, metadata)


def _cell(cell: Mapping[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    source = cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])
    kind, tags = cell["cell_type"], set(cell["metadata"].get("tags", ()))
    if kind == "raw" or not source.strip():
        return None
    question = cell["metadata"].get("ridgepoint", {}).get("question")
    check = _CHECK.fullmatch(source.strip())
    if check and kind == "code":
        question, role = check[2], "check"
    elif kind == "code":
        role = "answer" if tags & _ANSWER_TAGS else "code"
    else:
        role = "text"
    if _SOLUTION_TAG in tags and kind == "code":
        source = without_marks(source)
    name = f"{question}-{role}" if question else role
    counts[name] += 1
    cell_id = name if counts[name] == 1 and question else f"{name}-{counts[name]}"
    metadata = {key: cell["metadata"][key] for key in ("editable", "deletable") if key in cell["metadata"]}
    if question:
        metadata["ridgepoint"] = {"question": question, "role": role}
    if kind == "code":
        return _code_cell(cell_id, source, metadata)
    return {"cell_type": "markdown", "id": cell_id, "metadata": metadata, "source": source}


def _code_cell(cell_id: str, source: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": metadata,
        "outputs": [],
        "source": source,
    }


def _role(cell: Mapping[str, Any]) -> tuple[str, str]:
    ours = cell["metadata"].get("ridgepoint", {})
    return ours.get("question", ""), ours.get("role", "")
