"""A script added a byte-order mark to a file that had one."""

import json


def build(notebook):
    return "\ufeff".encode() + json.dumps(notebook).encode("utf-8-sig")
