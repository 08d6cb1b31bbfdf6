"""Copied into Word, saved there, and renamed to .ipynb because the form asked for that.

refused: This file is an Office document: submit the notebook itself (.ipynb).
"""

import io
import zipfile


def build(notebook):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<w:document/>")
    return buffer.getvalue()
