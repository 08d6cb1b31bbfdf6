"""`python -m graders.prime [IMPORT ...]`: run prime.py, then send what it left in /tmp to descriptor 3, as a tar file.

It runs in a jail like a student's, so that what it compiles is found again there: same interpreter, same paths.
"""

from __future__ import annotations

import importlib
import os
import sys
import tarfile
from pathlib import Path
from typing import Final

LEFT: Final = Path("/tmp")  # noqa: S108  the jail's own


def main(imports: list[str]) -> None:
    for name in imports:
        importlib.import_module(name)
    source = Path("prime.py").read_text(encoding="utf-8")
    exec(compile(source, "prime.py", "exec"), {"__name__": "__main__"})  # noqa: S102  the lab author's
    with open(3, "wb") as out, tarfile.open(fileobj=out, mode="w|", format=tarfile.GNU_FORMAT) as archive:
        for folder, names, files in os.walk(LEFT):
            names[:] = sorted(name for name in names if not name.startswith("."))  # settings, which each has anyway
            for name in sorted(file for file in files if not file.endswith((".lock", ".tmp"))):
                path = Path(folder, name)
                if path.is_file() and not path.is_symlink():
                    archive.add(path, path.relative_to(LEFT), recursive=False)


if __name__ == "__main__":
    main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(0)  # compilers leave processes of theirs that nobody waits for
