"""The whole folder, compressed by the file manager.

file: lab.zip
refused: This file is a ZIP archive: extract it and submit the .ipynb file inside.
"""

import io
import json
import zipfile


def build(notebook):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("lab/lab.ipynb", json.dumps(notebook))
        archive.writestr("__MACOSX/lab/._lab.ipynb", b"\x00\x05\x16\x07")
    return buffer.getvalue()
