"""What to do about an error that comes from where a notebook is graded rather than from the answer in it."""

from __future__ import annotations

import re
from typing import Final

_ADVICE: Final = (
    (
        r"No module named 'google(?:\.colab)?'",
        "google.colab exists only in Colab: take out the import and what uses it.",
    ),
    (
        r"No module named '(?P<name>[\w.]+)'",
        "{name} is not there when a notebook is graded, and can't be installed: use what the lab's own cells import.",
    ),
    (
        r"(?:No such file or directory|Permission denied|Read-only file system).*'(?P<name>(?:/|~|[a-z]:[\\/]).*)'",
        "That place does not exist where a notebook is graded: open the lab's files by their bare names.",
    ),
    (
        r"^FileNotFoundError: |^Exception: File `.*` not found",
        "When a notebook is graded, only the lab's own files are beside it: use those, under their own names.",
    ),
    (
        r"NameError: name 'grader' is not",
        "The setup cell defines it: copy that cell back from the lab's starter.",
    ),
    (
        r"NameError: name '(?P<name>dbutils|spark)' is not",
        "{name} exists only in Databricks: take out what uses it.",
    ),
    (
        r"name resolution|Network is unreachable|Max retries exceeded|URLError|gaierror",
        "There is no network when a notebook is graded: take out what needs it.",
    ),
    (
        r"^PermissionError: \[Errno 1\] Operation not permitted$",
        "A notebook that is graded may not do that, nor open network connections: take it out.",
    ),
    (
        r"^SystemExit: (?:\d+|None)?$",
        "sys.exit() can't end a notebook: remove the call.",
    ),
    (
        r"Qt binding modules|not a recognised GUI|No module named 'ipympl|headless|no display name",
        "A notebook is graded without a screen: use %matplotlib inline.",
    ),
    (
        r"not compiled with CUDA|no NVIDIA driver|No CUDA GPUs|no CUDA-capable device",
        "There is no GPU where this notebook was graded: use one only if torch.cuda.is_available() says so.",
    ),
)
_PATTERNS: Final = tuple((re.compile(pattern, re.IGNORECASE | re.DOTALL), todo) for pattern, todo in _ADVICE)


def advice(name: str, message: str) -> str:
    """One sentence for the exception of that name and message, or nothing."""
    for pattern, todo in _PATTERNS:
        if found := pattern.search(f"{name}: {message}"):
            return todo.format(**found.groupdict())
    return ""
