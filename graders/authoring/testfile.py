"""Parts a test file into what a student may read and what they may not, by its syntax tree."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One test function of a test file. `text` runs from its decorator to its last line."""

    name: str
    function: str
    hidden: bool
    points: float
    text: str
    tree: str
    asserts: tuple[str, ...]


def cases(source: str) -> tuple[Case, ...]:
    return tuple(_case(source, node) for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))


def public_part(source: str) -> str:
    """The same file without its hidden cases and without the import of otter, which the student's machine may lack."""
    lines = source.split("\n")
    dropped: set[int] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) or (isinstance(node, ast.FunctionDef) and _case(source, node).hidden):
            dropped.update(range(_first_line(node), (node.end_lineno or 0) + 1))
    kept = "\n".join(line for number, line in enumerate(lines, 1) if number not in dropped).strip("\n")
    return _squeeze(kept) + "\n"


def leaks(text: str, source: str) -> list[str]:
    """Names of the hidden cases of a test file of which something can be read in `text`."""
    found = cases(source)
    public = "\n".join(case.text for case in found if not case.hidden)
    return [
        case.name
        for case in found
        if case.hidden and any(secret in text for secret in (case.text, *case.asserts) if secret not in public)
    ]


def _case(source: str, node: ast.FunctionDef) -> Case:
    call = node.decorator_list[0] if node.decorator_list else None
    if not isinstance(call, ast.Call):
        raise ValueError(f"{node.name} is no test case: it lacks its decorator.")
    given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    lines = source.split("\n")[_first_line(node) - 1 : node.end_lineno]
    return Case(
        name=str(given["name"]),
        function=node.name,
        hidden=bool(given["hidden"]),
        points=float(given["points"]),
        text="\n".join(lines),
        tree=ast.dump(node),
        asserts=tuple(
            ast.get_source_segment(source, child) or "" for child in ast.walk(node) if isinstance(child, ast.Assert)
        ),
    )


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(item.lineno for item in decorators)])


def _squeeze(text: str) -> str:
    """At most two blank lines in a row."""
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text
