"""Exported from Databricks as a DBC archive, in which there is no .ipynb file to extract.

seen: mrchristine/db-migration#46
file: lab.dbc
refused: This file is a Databricks archive: submit the notebook itself (.ipynb).
"""

import io
import zipfile


def build(notebook):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("lab.python", '{"version": "NotebookV1", "commands": []}')
    return buffer.getvalue()
