import os, re

CANARY = re.compile(rb"canaryq[0-9][0-9a-f]{16}")  # which this line is not


def holds(data):
    """Whether bytes or a text hold what only hidden tests hold, in one byte a letter or in several."""
    data = data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)
    return bool(CANARY.search(data) or CANARY.search(data.replace(b"\0", b"")))
