import gc, json, os, socket, struct, time
from graders.respondent.service import Respondent

us = next(each for each in gc.get_objects() if isinstance(each, Respondent))
wire = us._channel.socket


def frame(text, blobs=b"", magic=b"RPW1", says=None):
    """A message as the examiner expects it, or not quite."""
    text = text.encode() if isinstance(text, str) else text
    sizes = says or (len(text), len(blobs))
    return struct.pack(">4sIQ", magic, *sizes) + text + blobs


def send(data):
    wire.setblocking(True)
    wire.sendall(data)
    wire.setblocking(False)


def reply(node, blobs=b"", number=None):
    """`node` is JSON in the codec's form, the answer to what is being asked just now."""
    send(frame(f'["d","id",{us._asking if number is None else number},"value",{node}]', blobs))
