"""Real messages, changed as a forger would: read as plain data or refused, within the memory that their bytes allow."""

from __future__ import annotations

import copy
import json
import math
import socket
import time
import tracemalloc
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graders.wire import Channel, Limits, Record, WireError, dumps, loads
from graders.wire.frames import HEADER, MAGIC

PLAIN: Final = (
    *(type(None), bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict, range, slice),
    *(Record, Decimal, Fraction, type(...), np.ndarray, np.generic, np.dtype, torch.Tensor, torch.dtype, torch.device),
    *(pd.DataFrame, pd.Series, pd.Index, pd.api.extensions.ExtensionArray),
)
VALUES: Final[list[object]] = [
    {"id": 7, "value": [1, 2.5, None, "text", b"bytes"], "error": None},
    {"outputs": [{"output_type": "stream", "name": "stdout", "text": "x" * 3_000}], "seconds": 0.5, "timed_out": False},
    [float("inf"), 2**70, 1j, Decimal("1.5"), Fraction(1, 3), ..., range(5), slice(1, 2), {1, 2}, frozenset("ab")],
    [list(range(100)), tuple(map(float, range(100))), "ü" * 3_000, bytearray(b"abc")],
    [
        np.arange(6).reshape(2, 3),
        np.float32(2),
        np.array(["a", "bc"]),
        np.array([1, "x"], dtype=object),
        np.dtype("i2"),
    ],
    [torch.ones(2, 3), torch.tensor([True]), torch.float32, torch.device("cpu"), torch.ones(1, requires_grad=True)],
    pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": pd.array([1, None], dtype="Int64")}, index=["p", "q"]),
    pd.Series([1.0, 2.0], index=pd.MultiIndex.from_tuples([(1, "a"), (2, "b")])),
    pd.DataFrame({"t": pd.to_datetime(["2026-01-01"])}),
]
MESSAGES: Final = [(json.loads(text), b"".join(blobs)) for text, blobs in map(dumps, VALUES)]
TAGS: Final = "i f c Q D u b B l t s z nl nt R d g S E na ns nd no pt pd pv df ds do dr di dm r N O K".split()  # noqa: SIM905
REPLACEMENTS: Final[list[Any]] = [
    *(None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, -(2**63), 10**30, 0.5, -0.0, 1e308, "", "x", "\ud800", []),
    *([0], ["l"], ["d"], "<f8", "|O", "|V8", "<U4", "|b1", "<M8[ns]", "float32", "object", "category", "load", "q"),
    *([2**20, 2**20], [0, 2**40], [-1], [1] * 33, {"a": 1}, ["b", 2**60], ["i", "f" * 100], ["f", "nan"]),
]
BYTES_PER_BYTE: Final = 200  # what the codec may take for each byte that came: an empty set in a list, at the worst
BASE_BYTES: Final = 2_000_000


def places(node: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    yield path
    if isinstance(node, list):
        for at, item in enumerate(node):
            yield from places(item, (*path, at))


@st.composite
def mutated(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A real message with up to four of its parts replaced, dropped, doubled, swapped, or another's; and its bytes."""
    node, blobs = draw(st.sampled_from(MESSAGES))
    root = [copy.deepcopy(node)]
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from([path for path in places(root) if path]))
        *above, at = path
        parent: Any = root
        for step in above:
            parent = parent[step]
        match draw(st.sampled_from(("replace", "tag", "drop", "double", "swap", "wrap", "number", "other"))):
            case "replace":
                parent[at] = copy.deepcopy(draw(st.sampled_from(REPLACEMENTS)))
            case "tag" if isinstance(parent[at], list) and parent[at]:
                parent[at][0] = draw(st.sampled_from(TAGS))
            case "drop" if len(above):
                del parent[at]
            case "double":
                parent.insert(at, copy.deepcopy(parent[at]))
            case "swap":
                other = draw(st.integers(0, len(parent) - 1))
                parent[at], parent[other] = parent[other], parent[at]
            case "wrap":
                parent[at] = [draw(st.sampled_from(TAGS)), parent[at]]
            case "number" if type(parent[at]) is int:
                parent[at] += draw(st.sampled_from((-1, 1, 2**32, -(2**32))))
            case "other":
                parent[at] = copy.deepcopy(draw(st.sampled_from(MESSAGES))[0])
    cut = draw(st.integers(0, len(blobs)))
    blobs = draw(st.sampled_from((blobs, blobs[:cut], blobs + b"\xff" * 8, b"\xff" * len(blobs))))
    return json.dumps(root[0]).encode(), blobs


def is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(is_plain(key) and is_plain(item) for key, item in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(is_plain, value))
    if isinstance(value, np.ndarray) and value.dtype == object:
        return all(map(is_plain, value.reshape(-1).tolist()))
    return isinstance(value, PLAIN)


@settings(max_examples=300, deadline=None)
@given(mutated())
def test_a_changed_message_is_refused_or_read_as_plain_data(message: tuple[bytes, bytes]) -> None:
    try:
        value = loads(*message)
    except WireError:
        return
    assert is_plain(value)


@settings(max_examples=100, deadline=None)
@given(mutated())
def test_reading_takes_memory_in_proportion_to_the_bytes_that_came(message: tuple[bytes, bytes]) -> None:
    """torch's and numpy's own buffers are in proportion by the checks on shapes; this measures everything else."""
    tracemalloc.start()
    try:
        loads(*message)
    except WireError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < BASE_BYTES + BYTES_PER_BYTE * (len(message[0]) + len(message[1]))


@pytest.mark.parametrize(
    "text",
    [
        '["l"' + ",[]" * 300_000 + "]",
        '["l"' + ',["l"]' * 200_000 + "]",
        '["l"' + ',["s"]' * 200_000 + "]",
        '["d"' + ',"k",["d"]' * 100_000 + "]",
        '["R",[' + ",".join(f'"a{n}"' for n in range(50_000)) + "]" + ",1" * 50_000 + "]",
        '["no",[200000]' + ",1" * 200_000 + "]",
        '["do","object"' + ",1" * 200_000 + "]",
        '["l"' + ',["E"]' * 200_000 + "]",
        '["na","<f8",[0,1048576,256],0]',
        '["dr",null,0,10000000,1]',
        '["g",0,10000000,1]',
    ],
    ids=lambda text: text[:24],
)
def test_the_densest_messages_take_memory_in_proportion_too(text: str) -> None:
    tracemalloc.start()
    try:
        loads(text.encode())
    except WireError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < BASE_BYTES + BYTES_PER_BYTE * len(text)


@settings(max_examples=150, deadline=None)
@given(mutated())
def test_what_was_read_can_be_written_and_read_again(message: tuple[bytes, bytes]) -> None:
    """A reader must accept nothing that has no form of its own: a test may hand an answer back to the student."""
    try:
        value = loads(*message)
    except WireError:
        return
    text, blobs = dumps(value, fallback=lambda _encoder, _value: ["r", 1, "", False])
    loads(text, b"".join(blobs), extras={"r": lambda _decoder, _items: None})


@st.composite
def mutated_frames(draw: st.DrawFn) -> bytes:
    """Frames one after the other, with bytes changed, dropped, put in, or a header that says something else."""
    node, blobs = draw(st.sampled_from(MESSAGES))
    text = json.dumps(node).encode()
    data = bytearray(HEADER.pack(MAGIC, len(text), len(blobs)) + text + blobs) * draw(st.integers(1, 2))
    for _ in range(draw(st.integers(0, 3))):
        if not data:
            break  # all of it was dropped
        at = draw(st.integers(0, min(len(data) - 1, 40)) | st.integers(0, len(data) - 1))
        match draw(st.sampled_from(("flip", "drop", "insert", "sizes", "cut"))):
            case "flip":
                data[at] ^= draw(st.integers(1, 255))
            case "drop":
                del data[at]
            case "insert":
                data[at:at] = draw(st.binary(max_size=20))
            case "sizes":
                data[4:16] = draw(st.binary(min_size=12, max_size=12))
            case "cut":
                del data[max(at, 1) :]
    return bytes(data)


@settings(max_examples=300, deadline=None)
@given(mutated_frames())
@example(HEADER.pack(MAGIC, 0, 0))
@example(HEADER.pack(MAGIC, 2**32 - 1, 2**64 - 1))
def test_changed_frames_are_read_or_refused_and_never_waited_for(data: bytes) -> None:
    """Nothing but a WireError ends the conversation, and that within the bytes that came."""
    ours, theirs = socket.socketpair()
    theirs.settimeout(5)
    channel = Channel(ours, Limits(json_bytes=100_000, blob_bytes=100_000))
    received: list[int] = []
    try:
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        with pytest.raises(WireError):
            receive_all(channel, received)
    finally:
        channel.close()
        theirs.close()
    assert sum(received) <= len(data)


def receive_all(channel: Channel, received: list[int]) -> None:
    while True:
        text, blobs = channel.receive(deadline=time.monotonic() + 5)
        received.append(HEADER.size + len(text) + len(blobs))
        loads(text, blobs)


def test_the_measure_of_memory_would_notice_a_message_that_asks_for_much() -> None:
    """A codec that believed a shape would allocate at once what this list does."""
    tracemalloc.start()
    taken = [0.0] * 2_000_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert math.fsum(taken) == 0
    assert peak > BASE_BYTES + BYTES_PER_BYTE * len(b'["na","<f8",[2000000],0]')
