"""A file that is two: a notebook from the front, a ZIP archive from the back, where archives keep their table.

naive: 2/2, and whatever is in the archive for the program that looks at the end.
refused: This notebook is damaged
"""

import io
import json
import zipfile

from tests.hostile.handed_in import notebook


def build():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("escaped.txt", "x")
    return json.dumps(notebook()).encode() + b"\n" + archive.getvalue().decode("latin-1").encode()
