"""UTF-8 but for one typographic quotation mark, pasted by a tool that wrote it as Windows does.

seen: jupyter/notebook#3510, ipython/ipython#11222
sees: The file was not saved in UTF-8: letters beyond English were read as Windows-1252, so check them.
shows: café ’
"""

import json


def build(notebook):
    notebook["cells"][2]["source"] += "\nprint('café QUOTE')"
    return json.dumps(notebook, ensure_ascii=False).encode().replace(b"QUOTE", b"\x92")
