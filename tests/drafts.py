"""A copy of the tiny course that a test may break."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

TINY = Path(__file__).parent / "courses" / "tiny"
LAB = "labs/arithmetic"
MASTER = f"{LAB}/master.ipynb"


class Draft:
    def __init__(self, courses_dir: Path) -> None:
        self.courses_dir = courses_dir
        self.folder = courses_dir / "tiny"
        shutil.copytree(TINY, self.folder)

    def path(self, file: str) -> Path:
        return self.folder / file

    def write(self, file: str, content: str) -> None:
        self.path(file).parent.mkdir(parents=True, exist_ok=True)
        self.path(file).write_text(content)

    def edit(self, file: str, old: str, new: str) -> None:
        text = self.path(file).read_text()
        assert old in text, f"{file} has no {old!r}"
        self.path(file).write_text(text.replace(old, new, 1))

    def line(self, file: str, text: str) -> int:
        """The number of the first line that holds `text`."""
        lines = self.path(file).read_text().split("\n")
        return next(number for number, line in enumerate(lines, 1) if text in line)

    def cells(self, change: Callable[[list[dict[str, Any]]], object]) -> None:
        """Let `change` work on the master notebook's cells."""
        notebook = json.loads(self.path(MASTER).read_text())
        change(notebook["cells"])
        self.path(MASTER).write_text(json.dumps(notebook, indent=1))
