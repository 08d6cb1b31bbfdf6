"""The codec: what crosses, what arrives, and what a forger can make it do."""

from __future__ import annotations

import contextlib
import json
import math
from collections import Counter, OrderedDict, namedtuple
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.wire import Limits, Record, TooLarge, WireError, dumps, loads

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=50)
    | st.binary(max_size=50)
    | st.complex_numbers()
    | st.fractions()
    | st.decimals(allow_nan=False)
)
keys = st.none() | st.booleans() | st.integers() | st.text(max_size=10) | st.tuples(st.integers(), st.text(max_size=3))
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(keys, inner) | st.frozensets(keys),
    max_leaves=30,
)


def crossed(value: object, **options: Any) -> Any:
    text, blobs = dumps(value, **options)
    return loads(text, b"".join(blobs))


def same(left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return (left != left and right != right) or (
            left == right and math.copysign(1, left) == math.copysign(1, right)
        )
    if isinstance(left, complex):
        return same(left.real, right.real) and same(left.imag, right.imag)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    return bool(left == right)


@given(values)
def test_plain_data_arrives_as_it_was_sent(value: Any) -> None:
    assert same(crossed(value), value)


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        -0.0,
        float("-inf"),
        2**64,
        -(10**1000),
        True,
        "lone \ud800 surrogate",
        "x" * 100_000,
        list(range(1000)),
        tuple(map(float, range(100))),
        [2**70] * 100,
        [True] * 100,
        {1, 2},
        frozenset({"a"}),
        range(3, 10, 2),
        slice(1, None, 2),
        ...,
        bytearray(b"ab"),
        {"nested": [({},), b"", None]},
    ],
    ids=lambda value: str(type(value).__name__),
)
def test_each_kind_arrives(value: Any) -> None:
    assert same(crossed(value), value)


class Liar(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__

    def __index__(self) -> int:
        return 42


def test_a_subclass_arrives_as_its_plain_base_value() -> None:
    class Text(str):
        def __str__(self) -> str:
            return "forged"

    class Number(float):
        def __float__(self) -> float:
            return 1.0

    arrived = crossed([Liar(7), Text("true"), Number(2.5), OrderedDict(a=1), Counter("aa")])
    assert same(arrived, [7, "true", 2.5, {"a": 1}, {"a": 2}])


def test_a_named_tuple_keeps_its_names() -> None:
    arrived = crossed(namedtuple("Point", "x y")(1, 2.5))
    assert isinstance(arrived, Record)
    assert (arrived.x, arrived.y, arrived == (1, 2.5)) == (1, 2.5, True)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6, dtype=np.int32).reshape(2, 3),
        np.float32(1.5) * np.ones((2, 0, 3)),
        np.array(2.5),
        np.array([True, False]),
        np.array(["a", "bcd"]),
        np.array([b"a", b"bcd"]),
        np.arange(6).reshape(2, 3).T,
        np.arange(3, dtype=">f8"),
        np.array(["2026-01-01"], dtype="datetime64[D]"),
        np.array([1j, 2]),
        np.arange(10)[::3],
    ],
    ids=lambda array: f"{array.dtype}-{array.shape}",
)
def test_an_array_arrives_with_its_type_and_shape(array: Any) -> None:
    arrived = crossed(array)
    assert type(arrived) is np.ndarray
    assert (arrived.dtype, arrived.shape) == (array.dtype.newbyteorder("="), array.shape)
    np.testing.assert_array_equal(arrived, array)


def test_an_array_of_objects_arrives_item_by_item() -> None:
    arrived = crossed(np.array([[1, "a"], [None, 2.5]], dtype=object))
    assert arrived.tolist() == [[1, "a"], [None, 2.5]]


@pytest.mark.parametrize("scalar", [np.float64(1.5), np.int8(-3), np.True_, np.complex64(1j)], ids=repr)
def test_a_numpy_scalar_stays_one(scalar: Any) -> None:
    arrived = crossed(scalar)
    assert (type(arrived), arrived) == (type(scalar), scalar)


def test_numpy_text_arrives_as_plain_text() -> None:
    assert same(crossed([np.str_(""), np.bytes_(b"x")]), ["", b"x"])


@pytest.mark.parametrize(
    "tensor",
    [
        torch.arange(6).reshape(2, 3),
        torch.tensor(1.5),
        torch.empty(0, 3),
        torch.tensor([True, False]),
        torch.randn(3, 4, dtype=torch.bfloat16),
        torch.tensor([1j, 2]).conj(),
        torch.ones(1).expand(4, 5),
        torch.arange(6).reshape(2, 3).T,
        torch.tensor([1.0], dtype=torch.float16),
    ],
    ids=lambda tensor: f"{tensor.dtype}-{tuple(tensor.shape)}",
)
def test_a_tensor_arrives_with_its_type_and_shape(tensor: torch.Tensor) -> None:
    arrived = crossed(tensor)
    assert type(arrived) is torch.Tensor
    assert (arrived.dtype, arrived.shape) == (tensor.dtype, tensor.shape)
    assert torch.equal(arrived, tensor)


def test_a_parameter_arrives_as_a_tensor_that_wants_its_gradient() -> None:
    arrived = crossed(torch.nn.Parameter(torch.ones(2)))
    assert (type(arrived), arrived.requires_grad) == (torch.Tensor, True)


def test_a_lying_tensor_arrives_as_its_numbers() -> None:
    class Yes(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func is torch.Tensor.eq:
                return torch.tensor(True)
            return super().__torch_function__(func, types, args, kwargs or {})

    arrived = crossed(torch.ones(2).as_subclass(Yes))
    assert (type(arrived), arrived.tolist()) == (torch.Tensor, [1.0, 1.0])


def test_types_and_devices_of_arrays_cross() -> None:
    sent = [torch.float32, torch.device("cpu"), np.dtype("int16")]
    assert crossed(sent) == sent


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": [1.5, float("nan")], "d": [True, False]}),
        pd.DataFrame({"n": pd.array([1, None], dtype="Int64"), "k": pd.Categorical(["u", "v"])}, index=["p", "q"]),
        pd.DataFrame(),
        pd.DataFrame({("a", 1): [1], ("b", 2): [2]}),
        pd.DataFrame({"t": pd.to_datetime(["2026-01-01"])}).set_index("t"),
        pd.DataFrame([[1, 2]], columns=["same", "same"]),
        pd.DataFrame({"a": [1, 1, 2], "v": [1, 2, 3]}).groupby(["a", "v"]).agg("sum"),
    ],
    ids=["mixed", "extensions", "empty", "two levels", "dates", "twice the same", "grouped"],
)
def test_a_frame_arrives_equal(table: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(crossed(table), table)


def test_a_series_arrives_equal() -> None:
    series = pd.Series([1.0, 2.0], index=pd.Index(["a", "b"], name="key"), name="value")
    pd.testing.assert_series_equal(crossed(series), series)


def test_an_unknown_object_needs_a_fallback() -> None:
    with pytest.raises(TypeError, match="object is no plain data"):
        dumps(object())


def test_a_value_that_contains_itself_is_refused() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(TooLarge, match="nested"):
        dumps(loop)


def test_a_tensor_that_claims_terabytes_is_refused_before_it_is_copied() -> None:
    with pytest.raises(TooLarge, match="MiB"):
        dumps(torch.ones(1).expand(2**40))


def test_a_range_too_long_to_walk_does_not_cross_as_data() -> None:
    assert dumps(range(10**12), fallback=lambda _encoder, _value: ["r"])[0] == b'["r"]'


@pytest.mark.parametrize(
    "node",
    [
        {"a": 1},
        [],
        [1],
        ["unknown"],
        ["b", 5],
        ["b", -1],
        ["i", "f" * 100_000],
        ["i", "xyz"],
        ["f", "1e5"],
        ["d", 1],
        ["d", ["l"], 1],
        ["s", ["l"]],
        ["g", 0, 10**12, 1],
        ["g", 0, 5, 0],
        ["R", ["a"], 1, 2],
        ["R", ["__class__"], 1],
        ["nl", "u", 0],
        ["na", "<f8", [2**39, 2**39], 0],
        ["na", "<f8", [0, 2**39], 0],
        ["na", "<f8", [-1], 0],
        ["na", "|O", [1], 0],
        ["na", "<f8", [True], 0],
        ["na", "<U99999", [1], 0],
        ["pt", "float32", [10**12], False, 0],
        ["pt", "storage", [0], False, 0],
        ["pt", "int64", [0], True, 0],
        ["pv", "cuda:none"],
        ["dr", None, 0, 10**11, 1],
        ["df", ["di", None, ["do", "str", "a"]], [["do", "object"]], ["dr", None, 0, 5, 1]],
        ["do", "period[D]", 1],
        ["dm", [None], 1],
    ],
    ids=lambda node: json.dumps(node)[:40],
)
def test_a_forged_message_is_refused(node: Any) -> None:
    with pytest.raises(WireError):
        loads(json.dumps(node).encode())


def test_nesting_beyond_the_limit_is_refused() -> None:
    with pytest.raises(WireError):
        loads(b'["l",' * 100_000 + b'["l"]' + b"]" * 100_000)


def test_text_that_is_none_is_refused() -> None:
    with pytest.raises(WireError, match="text that is none"):
        loads(b'["na","<U1",[1],4]', b"\xff\xff\xff\xff")


def test_a_forged_boolean_array_counts_at_most_one_per_item() -> None:
    assert loads(b'["na","|b1",[3],3]', b"\x07\x00\xff").sum() == 2
    assert int(loads(b'["pt","bool",[3],false,3]', b"\x07\x00\xff").sum()) == 2


def test_a_blob_can_not_be_read_twice() -> None:
    with pytest.raises(WireError, match="doesn't bring"):
        loads(b'["l",["b",3],["b",3]]', b"abc")


def test_a_blob_that_nothing_names_is_refused() -> None:
    with pytest.raises(WireError, match="more than it names"):
        loads(b"1", b"abc")


@pytest.mark.parametrize("value", [np.ones(1), torch.ones(1), pd.Series([1])], ids=["numpy", "torch", "pandas"])
def test_a_reader_that_wants_no_arrays_gets_none(value: Any) -> None:
    text, blobs = dumps(value)
    with pytest.raises(WireError, match="unknown tag"):
        loads(text, b"".join(blobs), arrays=False)


def test_too_many_parts_are_refused_on_both_sides() -> None:
    few = Limits(nodes=10)
    with pytest.raises(TooLarge):
        dumps([[]] * 20, limits=few)
    with pytest.raises(WireError):
        loads(dumps([[]] * 20)[0], limits=few)


tags = st.sampled_from(
    "i f c u b B l t s z nl nt R d g S E na ns nd no pt pd pv df ds do dr di dm".split()  # noqa: SIM905
)
junk = st.recursive(
    scalars.filter(lambda value: value is None or isinstance(value, bool | int | str))
    | st.sampled_from(["<f8", "|b1", "<U4", "float32", "bool", "str", "category", "d", "q"])
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=5) | st.builds(lambda tag, rest: [tag, *rest], tags, st.lists(inner)),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(junk, st.binary(max_size=64))
def test_garbage_of_our_tags_is_refused_or_read_as_data(node: Any, blobs: bytes) -> None:
    with contextlib.suppress(WireError):
        loads(json.dumps(node).encode(), blobs)


@given(st.binary(max_size=200), st.binary(max_size=20))
def test_garbage_bytes_are_refused_or_read_as_data(text: bytes, blobs: bytes) -> None:
    with contextlib.suppress(WireError):
        loads(text, blobs)


@pytest.mark.parametrize("node", ['["Q",1,0]', '["Q",1.5,2]', '["Q",1]', '["D","x"]', '["D","1e999999"]', '["D",1]'])
def test_an_impossible_fraction_or_decimal_is_refused(node: str) -> None:
    """Half of a ratio, or a number with a million digits that `int` would try to write out."""
    with pytest.raises(WireError):
        loads(node.encode())


def test_a_decimal_that_no_test_could_handle_stays_where_it_is() -> None:
    text, _ = dumps(Decimal("1e999999"), fallback=lambda _encoder, _value: ["r", 1])
    assert json.loads(text) == ["r", 1]


@pytest.mark.parametrize("shape", ["[268435456,0]", "[1025,1024,0]"])
def test_an_array_of_nothing_but_rows_is_refused(shape: str) -> None:
    """It costs no bytes to send, and a list of lists to look at."""
    with pytest.raises(WireError):
        loads(f'["na","<f8",{shape},0]'.encode())
    assert loads(b'["na","<f8",[0,1024,1024],0]').shape == (0, 1024, 1024)
