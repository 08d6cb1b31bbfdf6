"""Runs in the lab's interpreter: the code cells of a notebook, one after the other, with nothing around them.

`python bare.py NOTEBOOK [MODULE...]` imports the modules first, then prints one JSON object: `imports_s` and `cells_s`,
the seconds that these and the cells took.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell


def main() -> None:
    notebook = json.loads(Path(sys.argv[1]).read_text())
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    started = time.perf_counter()
    for module in sys.argv[2:]:
        importlib.import_module(module)
    imported = time.perf_counter()
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    began = time.perf_counter()
    for source in sources:
        shell.run_cell(source, store_history=False).raise_error()
    answer.write(json.dumps({"imports_s": imported - started, "cells_s": time.perf_counter() - began}))
    answer.close()


if __name__ == "__main__":
    main()
