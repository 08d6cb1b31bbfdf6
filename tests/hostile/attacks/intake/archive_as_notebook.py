"""A ZIP archive that unpacks to ten gigabytes, called a notebook.

naive: a full disk, where a grader unpacks what students hand in.
refused: This file is a ZIP archive
"""

import io
import zipfile


def build():
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lab.ipynb", bytes(10_000_000))
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(1000):
            archive.writestr(f"{number}.zip", inner.getvalue())
    return outer.getvalue()
