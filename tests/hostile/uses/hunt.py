import os

NEEDLES = [b"can" + b"aryq", "can".encode("utf-16-le") + "aryq".encode("utf-16-le")]


def holds(data):
    """Whether bytes or a text hold what only hidden tests hold."""
    data = data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)
    return any(needle in data for needle in NEEDLES)
