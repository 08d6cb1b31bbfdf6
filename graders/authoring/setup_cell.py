"""The first code cell of a starter: makes labkit importable anywhere and loads the public checks."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Mapping
from typing import Final

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_WIDTH: Final = 116

_TEMPLATE: Final = '''\
# @title Setup: run this cell first
# ridgepoint-lab: {lab}
# It makes labkit, the course's library, importable and loads this lab's public checks: grader.check("{first}") runs
# those of question {first}. The notebook needs no other file.
import base64
import pathlib
import sys
import tempfile
{imports}

def _load_labkit(version, archive):
    """The installed labkit if it is the version that this lab was made with, else the copy in this cell."""
    try:
        import labkit

        if labkit.__version__ == version:
            return
    except ImportError:
        pass
    for name in [name for name in sys.modules if name.split(".")[0] == "labkit"]:
        del sys.modules[name]
    path = pathlib.Path(tempfile.mkdtemp()) / "labkit.zip"
    path.write_bytes(base64.b64decode(archive))
    sys.path.insert(0, str(path))


{files}_load_labkit(
    {version!r},
    """
{labkit}
""",
)
import labkit.checks

_public_checks = {{
{checks}}}
grader = labkit.checks.Notebook(_public_checks, lab={lab!r})
'''

_FILES: Final = '''\
def _write_files(archive):
    """The lab's data files, where they are not there yet."""
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(archive))) as files:
        for name in files.namelist():
            if not pathlib.Path(name).exists():
                files.extract(name)


_write_files(
    """
{archive}
"""
)
'''


def setup_source(
    lab: str, public_tests: Mapping[str, str], library: Mapping[str, str], version: str, files: Mapping[str, bytes]
) -> str:
    """`public_tests` is one test file a question, `version` the library's own."""
    return _TEMPLATE.format(
        lab=lab,
        first=next(iter(public_tests)),
        version=version,
        labkit=_archive({path: text.encode() for path, text in library.items()}),
        imports="import io\nimport zipfile\n" if files else "",
        files=_FILES.format(archive=_archive(files)) if files else "",
        checks="".join(f"    {name!r}: {_quoted(source)},\n" for name, source in public_tests.items()),
    )


def _archive(files: Mapping[str, bytes]) -> str:
    """A zip in base64, the same for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(path, _EPOCH), content, zipfile.ZIP_DEFLATED, 9)
    text = base64.b64encode(buffer.getvalue()).decode()
    return "\n".join(text[start : start + _WIDTH] for start in range(0, len(text), _WIDTH))


def _quoted(source: str) -> str:
    """Readable where it can be: as lines, else as one escaped string."""
    if "'''" in source or source.endswith(("\\", "'")) or "\r" in source:
        return repr(source)
    return f"r'''\n{source}'''"
