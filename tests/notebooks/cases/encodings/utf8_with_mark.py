"""Saved by an editor on Windows that begins each file with a byte-order mark.

seen: microsoft/markitdown#2425
"""

import json


def build(notebook):
    return json.dumps(notebook, ensure_ascii=False).encode("utf-8-sig")
