"""Runs in a jail, in the lab environment: otter-grader's own assign machinery on one master notebook.

Reads `master.ipynb` in the working directory and writes one JSON document to descriptor 3:
`{"starter": {...}, "solution": {...}, "tests": {question: source}}`, or `{"error": sentence}`.
Nothing of the notebook is executed, nothing is uploaded, no file is left behind.
"""

from __future__ import annotations

import ast
import json
import os
import warnings
from pathlib import Path
from typing import Any, Final

from graders.authoring.notebooks import MAX_RESULT_BYTES

RESULT_DESCRIPTOR: Final = 3


def assign(master: Path) -> dict[str, Any]:
    import nbformat
    from otter.assign.assignment import Assignment
    from otter.assign.cell_factory import CellFactory
    from otter.assign.notebook_transformer import NotebookTransformer

    notebook = nbformat.read(master, as_version=4)
    _stamp_questions(notebook)
    assignment = Assignment(require_valid_keys=True)
    assignment.master, assignment.lang = master, "python"

    class Cells(CellFactory):  # type: ignore[misc]
        """Leaves out the cells that only otter's own client needs: the setup cell is ours."""

        def create_init_cells(self) -> list[Any]:
            return []

        create_check_all_cells = create_export_cells = create_init_cells

    tests = _tests_manager(assignment)
    transformer = NotebookTransformer(assignment, tests)
    transformer.cell_factory = Cells(assignment)
    transformed = transformer.transform_notebook(notebook)
    return {
        "starter": transformed._get_sanitized_nb(),
        "solution": transformed.transformed_nb,
        "tests": tests.files(),
    }


def _tests_manager(assignment: Any) -> Any:
    from otter.assign.tests_manager import AssignmentTestsManager

    class Tests(AssignmentTestsManager):  # type: ignore[misc]
        """Keeps what otter drops: a test's name, and its source as written, comments and quotes included."""

        def read_test(self, cell: Any, question: Any) -> None:
            super().read_test(cell, question)
            source = cell["source"].split("\n")
            config, end = self._parse_test_config(source)
            body = "\n".join(source[(end if end is not None else -1) + 1 :])
            function = ast.parse(body).body[0]
            case = self._tests_by_question[question.name][-1]
            case.name = config.get("name") or function.name  # type: ignore[attr-defined]
            case.body = ast.get_source_segment(body, function)

        def files(self) -> dict[str, str]:
            names = [name for name, cases in self._tests_by_question.items() if cases]
            return {name: render(name, self._create_test_file_info(name)["test_cases"]) for name in names}

    return Tests(assignment)


def render(name: str, test_cases: list[Any]) -> str:
    """One test file in otter's exception format. Its own template breaks on a quote in a message and drops names.

    `points` stays None because each case states its own.
    """
    head = f"from otter.test_files import test_case\n\nOK_FORMAT = False\n\nname = {name!r}\npoints = None\n"
    return head + "".join(f"\n\n{_case(case)}" for case in test_cases)


def _case(case: Any) -> str:
    messages = "".join(
        f",\n    {key}={getattr(case, key)!r}"
        for key in ("success_message", "failure_message")
        if getattr(case, key) is not None
    )
    return f"@test_case(name={case.name!r}, points={case.points!r}, hidden={case.hidden!r}{messages})\n{case.body}\n"


def _stamp_questions(notebook: Any) -> None:
    """Note in each cell's metadata which question it belongs to: otter forgets the blocks."""
    from otter.assign.blocks import BlockType, get_cell_config, is_block_boundary_cell

    question = None
    for cell in notebook.cells:
        if is_block_boundary_cell(cell, BlockType.QUESTION):
            question = get_cell_config(cell)["name"]
        elif is_block_boundary_cell(cell, BlockType.QUESTION, end=True):
            question = None
        elif question is not None:
            cell.metadata["ridgepoint"] = {"question": question}


def main() -> None:
    warnings.simplefilter("ignore")
    try:
        result = assign(Path("master.ipynb").absolute())
    except Exception as error:  # noqa: BLE001 - whatever otter finds wrong is the author's to read
        result = {"error": f"otter-grader refuses the notebook: {error}"[:2000]}
    data = json.dumps(result).encode()
    if len(data) > MAX_RESULT_BYTES:
        data = json.dumps({"error": f"The generated notebooks have more than {MAX_RESULT_BYTES} bytes."}).encode()
    with os.fdopen(RESULT_DESCRIPTOR, "wb") as out:
        out.write(len(data).to_bytes(8, "big") + data)


if __name__ == "__main__":
    main()
