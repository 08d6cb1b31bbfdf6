"""Runs in the lab's interpreter: the code cells of a notebook, one after the other, with nothing around them.

`python bare.py NOTEBOOK` prints one JSON object: `cells_s`, the seconds that the cells took.
"""

from __future__ import annotations

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
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    started = time.perf_counter()
    for source in sources:
        shell.run_cell(source, store_history=False).raise_error()
    answer.write(json.dumps({"cells_s": time.perf_counter() - started}))
    answer.close()


if __name__ == "__main__":
    main()
