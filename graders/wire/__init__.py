"""How the examiner, the respondent and the worker talk: framed messages of plain data, in a closed codec.

Nothing that is read here is ever unpickled, imported or evaluated: a message is JSON of known tags plus raw
blobs whose sizes are checked before memory is taken. What is no plain data crosses as a reference (`fallback` when
writing, `extras` when reading), which only its own side can resolve.
"""

from graders.wire.codec import Decoder, Encoder, Extra, Record, dumps, loads
from graders.wire.frames import Channel
from graders.wire.limits import Blob, ChannelClosed, DeadlinePassed, Limits, TooLarge, WireError

__all__ = [
    "Blob",
    "Channel",
    "ChannelClosed",
    "DeadlinePassed",
    "Decoder",
    "Encoder",
    "Extra",
    "Limits",
    "Record",
    "TooLarge",
    "WireError",
    "dumps",
    "loads",
]
