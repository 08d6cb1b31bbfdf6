"""Runs in the bench's interpreter: executes a notebook as another tool does, over and over, in one process.

`python peer.py otter|nbclient NOTEBOOK AUTOGRADER` does so once for each line on its standard input, and answers with
one JSON object a line: `whole_s`, and `score` where there is one. What these tools import is imported before.
"""

from __future__ import annotations

import json
import os
import sys
import time


def main() -> None:
    tool, notebook, autograder = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if tool == "otter":
        from nbconvert.preprocessors import ExecutePreprocessor  # noqa: F401  otter-grader imports it late
        from otter.api import grade_submission

        def run() -> float | None:
            return grade_submission(notebook, autograder, quiet=True).total
    else:
        import nbformat
        from nbclient import NotebookClient

        def run() -> float | None:
            NotebookClient(nbformat.read(notebook, as_version=4), timeout=600, kernel_name="python3").execute()
            return None

    for _ in sys.stdin:
        started = time.perf_counter()
        score = run()
        answers.write(json.dumps({"whole_s": time.perf_counter() - started, "score": score}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
