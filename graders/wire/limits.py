"""What a message may cost its reader, and how reading and writing fail."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024**2

Blob = bytes | bytearray | memoryview
"""Raw bytes, whoever owns them: arrays cross without being copied on the way out."""


class WireError(Exception):
    """The bytes are no message of ours. Whoever sent them can't be talked to any longer."""


class ChannelClosed(WireError):
    """The other side is gone."""


class DeadlinePassed(WireError):
    """The other side did not answer, or did not read, in time."""


class TooLarge(ValueError):
    """A value can't be sent: too many bytes, too many parts, or nested too deeply."""


@dataclass(frozen=True)
class Limits:
    """Bytes of JSON and of blobs, values in one message, numbers in one list, levels of nesting."""

    json_bytes: int = 16 * MIB
    blob_bytes: int = 256 * MIB
    nodes: int = 1_000_000
    numbers: int = 4_000_000
    depth: int = 60
