"""Ways out of a folder in everything that could become a file's name: ids, attachments, metadata, the file's own name.

naive: file written, where the grader's user may write; several graders unpack attachments and names as they come.
named: escaped gnp.ipynb
page: 7 files
"""

import json

from tests.hostile.handed_in import code, notebook

FILENAME = "../..\\..//etc/cron.d/..\x00/\x1b]0;escaped\x07/\u202eescaped\u2066\n\r\tgnp.ipynb"


def build():
    out = ["../../escaped", "/tmp/escaped", "..\\escaped", "C:\\escaped", "~/escaped", "file:///tmp/escaped", "a\x00/escaped"]
    pictures = {name: {"image/png": "iVBORw0KGgo=", "../escaped": "x"} for name in out}
    return json.dumps(
        notebook(
            *[code("pass", id=name, metadata={"name": name, "filename": name}) for name in out],
            {"cell_type": "markdown", "metadata": {}, "source": f"{len(out)} files ![a](attachment:../../escaped)",
             "attachments": pictures},
            metadata={"name": "../../escaped", "path": "/tmp/escaped", "authors": [{"name": "../escaped"}]},
        )
    ).encode()  # fmt: skip
