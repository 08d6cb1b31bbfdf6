"""Saved by an old editor in Latin-1; the student's name and a string have accents.

seen: ipython/ipython#10762
sees: The file was not saved in UTF-8: letters beyond English were read as Windows-1252, so check them.
shows: Zoë Müller
"""

import json


def build(notebook):
    notebook["cells"][2]["source"] += "\nprint('Zoë Müller')"
    return json.dumps(notebook, ensure_ascii=False).encode("latin-1")
