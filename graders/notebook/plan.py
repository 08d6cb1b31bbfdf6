"""Which code cells a notebook has, and after which of them each question is graded.

Pure: it reads text and never runs it. A question is graded right after its last `grader.check("name")`, where the
student checked it too, so a later reassignment can't undo it.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

AT_END: Final = 0
"""The key of `Plan.after` for questions that no cell belongs to: they are graded after the last cell."""

LAB_LINE: Final = re.compile(r"^[ \t]*#[ \t]*ridgepoint-lab:[ \t]*(\S+)[ \t]*$", re.MULTILINE)

_MAX_PARSED_CHARS: Final = 50_000  # a text made of f-string fields takes time in the square of its length
_CHECK_TEXT: Final = re.compile(
    r"""^[^#\n]*?[\w)\]]\s*\.\s*check\s*\(\s*(?:\w+\s*=\s*)?(?P<quote>["'])(?P<name>[^"'\n]*)(?P=quote)""", re.MULTILINE
)
_CELL_MAGIC: Final = re.compile(r"^\s*%%[^\n]*\n?")
_FOREIGN_CELL: Final = re.compile(  # the body of these is not run as Python in the notebook's process
    r"^\s*(?:!!|%%(?:!|bash|cmd|cython|file|html|javascript|js|latex|markdown|perl|pypy|python[23]?|r|ruby|script|sh|sql"
    r"|svg|sx|system|writefile)\b)",
    re.IGNORECASE,
)
_PYTHON_LINE_MAGIC: Final = re.compile(r"^(\s*)%(?:time|timeit|prun|memit)\b(?:\s+-\S+(?:\s+\d+)?)*")
_RESET: Final = re.compile(r"^[ \t]*%reset(?![\w-])", re.MULTILINE)
_ASSIGNED_MAGIC: Final = re.compile(r"^([\w.,\s\[\]]+=)\s*[%!]")


@dataclass(frozen=True)
class PlannedCell:
    """A code cell. `number` counts code cells from 1, `index` counts all cells from 0."""

    number: int
    index: int
    source: str
    question: str | None


@dataclass(frozen=True)
class Plan:
    """`after[n]` are the questions graded after code cell n (AT_END: after the last); each question is there once.

    `notes` are sentences for the student about what was unusual.
    """

    cells: tuple[PlannedCell, ...]
    after: Mapping[int, tuple[str, ...]]
    notes: tuple[str, ...]


def plan(nb: Mapping[str, Any], questions: Sequence[str]) -> Plan:
    """Plan the grading of a notebook in format 4. Every code cell is in the plan, whatever its tags say."""
    cells = [(index, cell) for index, cell in enumerate(nb.get("cells", ())) if cell.get("cell_type") == "code"]
    sources = [_source(cell) for _, cell in cells]
    checks = [checked_questions(source, questions) for source in sources]
    marks = [_marked_question(cell, questions) for _, cell in cells]

    checked_in: defaultdict[str, list[int]] = defaultdict(list)
    marked_in: defaultdict[str, list[int]] = defaultdict(list)
    for number, (checked, mark) in enumerate(zip(checks, marks, strict=True), 1):
        for question in checked:
            checked_in[question].append(number)
        if mark:
            marked_in[mark].append(number)

    last = {q: max(checked_in[q] or marked_in[q], default=AT_END) for q in questions}
    after: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
    for question in questions:
        after[last[question]] += (question,)

    belongs_to = _owners(sources, checks, marks)
    return Plan(
        cells=tuple(
            PlannedCell(number, index, source, question)
            for number, ((index, _), source, question) in enumerate(zip(cells, sources, belongs_to, strict=True), 1)
        ),
        after=dict(sorted(after.items())),
        notes=tuple(_notes(nb, questions, checked_in, marked_in, last)),
    )


def checked_questions(source: str, questions: Sequence[str]) -> tuple[str, ...]:
    """The known questions for which a cell calls `<anything>.check("name")`, in the lab's order.

    Comments and texts don't count; magics and syntax errors don't hide a call.
    """
    if "check" not in source:
        return ()
    found = set(_called_names(source))
    return tuple(question for question in questions if question in found)


def may_define(source: str, name: str) -> bool:
    """Whether a line of the cell, be its syntax right or wrong, looks as if it gave that name a meaning."""
    for line in source.split("\n"):
        code = line.partition("#")[0].strip()
        head, assigns, _ = code.partition("=")
        if code.startswith(("def ", "async def ", "class ", "import ", "from ")):
            head = code
        elif not assigns or "(" in head:
            continue
        if name in re.findall(r"\w+", head):
            return True
    return False


def _called_names(source: str) -> Iterator[str]:
    if _FOREIGN_CELL.match(source):
        return
    source = _CELL_MAGIC.sub("", source)
    tree = _parse(source) or _parse(_without_magics(source))
    if tree is None:
        yield from (match["name"] for match in _CHECK_TEXT.finditer(source))
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "check":
            first = next(iter((*node.args, *(keyword.value for keyword in node.keywords))), None)
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def _parse(source: str) -> ast.Module | None:
    if len(source) > _MAX_PARSED_CHARS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a student's text is no concern of ours
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_magics(source: str) -> str:
    lines = []
    for line in source.split("\n"):
        text = line.strip()
        if magic := _PYTHON_LINE_MAGIC.match(line):
            lines.append(magic[1] + line[magic.end() :].strip())
        elif text.startswith(("%", "!", "?")) or text.endswith("?"):
            lines.append(line[: len(line) - len(line.lstrip())] + "pass")
        elif assigned := _ASSIGNED_MAGIC.match(line):
            lines.append(assigned[1] + " None")
        else:
            lines.append(line)
    return "\n".join(lines)


def _source(cell: Mapping[str, Any]) -> str:
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def _marked_question(cell: Mapping[str, Any], questions: Sequence[str]) -> str | None:
    """The question that the starter's author gave the cell: `ridgepoint.question`, else an id like `q1-answer`."""
    ours = (cell.get("metadata") or {}).get("ridgepoint")
    named = ours.get("question") if isinstance(ours, Mapping) else None
    if named in questions:
        return str(named)
    cell_id = str(cell.get("id", ""))
    matching = [q for q in questions if cell_id == q or cell_id.startswith(f"{q}-")]
    return max(matching, key=len, default=None)


def _is_answer(cell: Mapping[str, Any]) -> bool:
    ours = (cell.get("metadata") or {}).get("ridgepoint")
    return isinstance(ours, Mapping) and ours.get("role") == "answer"


def _owners(sources: Sequence[str], checks: Sequence[tuple[str, ...]], marks: Sequence[str | None]) -> list[str | None]:
    """The question that each code cell works for.

    A cell without a sign of its own works for the next question, but what stands above the first answer works for
    all of them, and what follows the last check for none.
    """
    own = [checked[0] if len(checked) == 1 else mark for checked, mark in zip(checks, marks, strict=True)]
    owners: list[str | None] = []
    following: str | None = None
    for source, question in zip(reversed(sources), reversed(own), strict=True):
        following = question or following
        owners.append(None if LAB_LINE.search(source) else following)
    owners.reverse()
    first = next((position for position, question in enumerate(own) if question), 0)
    if own and not checks[first]:
        owners[:first] = [None] * first
    return owners


def _notes(
    nb: Mapping[str, Any],
    questions: Sequence[str],
    checked_in: Mapping[str, Sequence[int]],
    marked_in: Mapping[str, Sequence[int]],
    last: Mapping[str, int],
) -> Iterator[str]:
    others = [cell for cell in nb.get("cells", ()) if cell.get("cell_type") != "code"]
    not_code = [_source(cell) for cell in others]
    retyped_answers = {_marked_question(cell, questions) for cell in others if _is_answer(cell)}
    for question in questions:
        if question in retyped_answers:
            yield (
                f"A cell of question {question} is not a code cell any more, so it was not run: "
                "change its type back to Code."
            )
        check = f'grader.check("{question}")'
        where = f"after code cell {last[question]}" if last[question] else "at the end of the notebook"
        if len(checked_in[question]) > 1:
            numbers = _listed(checked_in[question])
            yield f"{check} stands in code cells {numbers}: question {question} was graded {where}, the last of them."
        elif not checked_in[question]:
            retyped = any(question in checked_questions(source, (question,)) for source in not_code)
            why = "stands in a cell that is not a code cell" if retyped else "is in no cell"
            yield f"{check} {why}: question {question} was graded {where}."
        elif marked_in[question] and marked_in[question][-1] > last[question]:
            yield (
                f"Code cell {marked_in[question][-1]} belongs to question {question} but stands below {check}: "
                f"the question was graded {where}, without it."
            )
    for number, cell in enumerate((cell for cell in nb.get("cells", ()) if cell.get("cell_type") == "code"), 1):
        if _RESET.search(_source(cell)):
            yield (
                f"Code cell {number} has %reset, which forgets what the cells above defined: "
                "take it out if cells below need that."
            )
    placed = [question for question in questions if last[question]]
    for earlier, later in pairwise(placed):
        if last[later] < last[earlier]:
            yield f"Question {later} stands above question {earlier}: each was graded where it stands."


def _listed(numbers: Sequence[int]) -> str:
    shown = [str(number) for number in numbers]
    if len(shown) > 6:
        shown = [*shown[:5], f"{len(shown) - 6} more", shown[-1]]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
