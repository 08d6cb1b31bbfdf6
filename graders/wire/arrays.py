"""Numpy arrays, torch tensors and pandas tables as raw bytes with a type from a short list.

None of the three libraries is imported before a value of theirs is at hand: writing looks into `sys.modules`, reading
imports on first need. Boolean arrays are normalized on reading, because a byte of 7 would count as seven in a sum.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from graders.wire.limits import TooLarge, WireError

if TYPE_CHECKING:
    from graders.wire.codec import Decoder, Encoder

MOST_DIMENSIONS: Final = 32
LONGEST_SIDE: Final = 2**40
LONGEST_RANGE: Final = 10_000_000
LARGEST_HOLLOW: Final = 2**28
MOST_EMPTY_ROWS: Final = 2**20  # an array without a single number may still become a list of that many lists
MOST_OBJECTS: Final = 1_000_000
NUMPY_TYPE: Final = re.compile(r"[<|]([biuf][1248]|[c](8|16)|[mM]8(\[(ns|us|ms|s|m|h|D|M|Y)\])?|[US]\d{1,5})")
TORCH_TYPE: Final = re.compile(
    r"bool|u?int(8|16|32|64)|b?float16|float(32|64)|complex(64|128)|float8_e4m3fn|float8_e5m2"
)
PANDAS_TYPE: Final = re.compile(r"object|str|string|category|boolean|U?Int(8|16|32|64)|Float(32|64)")


def write(encoder: Encoder, value: object) -> Any:
    """The node of an array, tensor or table; None for anything else."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if isinstance(value, numpy.ndarray):
            return _write_array(encoder, numpy.asarray(value), numpy)
        if isinstance(value, numpy.str_ | numpy.bytes_):
            return None
        if isinstance(value, numpy.generic) and NUMPY_TYPE.fullmatch(value.dtype.str):
            return ["ns", value.dtype.str, encoder.blob(value.tobytes())]
        if isinstance(value, numpy.dtype) and NUMPY_TYPE.fullmatch(value.str):
            return ["nd", value.str]
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "Tensor"):
        if isinstance(value, torch.Tensor):
            return _write_tensor(encoder, value, torch)
        if isinstance(value, torch.dtype):
            return ["pd", str(value).removeprefix("torch.")]
        if isinstance(value, torch.device):
            return ["pv", str(value)]
    pandas = sys.modules.get("pandas")
    if pandas is not None and hasattr(pandas, "DataFrame"):
        if isinstance(value, pandas.DataFrame):
            return _write_frame(encoder, value, pandas)
        if isinstance(value, pandas.Series):
            column = _write_column(encoder, value, pandas)
            return ["ds", encoder.node(value.name), column, _write_index(encoder, value.index, pandas)]
        if isinstance(value, pandas.Index):
            return _write_index(encoder, value, pandas)
    return None


def _write_array(encoder: Encoder, array: Any, numpy: Any) -> Any:
    if array.dtype == object:
        if array.size > MOST_OBJECTS:
            raise TooLarge(f"The array has more than {MOST_OBJECTS:,} objects.")
        return ["no", list(array.shape), *map(encoder.node, array.reshape(-1).tolist())]
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    if not NUMPY_TYPE.fullmatch(array.dtype.str):
        return None
    encoder.reserve(array.nbytes)
    return ["na", array.dtype.str, list(array.shape), encoder.blob(_bytes(array, numpy))]


def _bytes(array: Any, numpy: Any) -> memoryview:
    flat = numpy.ascontiguousarray(array).reshape(-1)
    return memoryview(flat.view(numpy.uint8))


def _write_tensor(encoder: Encoder, tensor: Any, torch: Any) -> Any:
    kind = str(tensor.dtype).removeprefix("torch.")
    if not TORCH_TYPE.fullmatch(kind) or tensor.layout != torch.strided or tensor.device.type == "meta":
        return None
    encoder.reserve(tensor.numel() * tensor.element_size())
    plain = torch.Tensor.detach(tensor).cpu().resolve_conj().resolve_neg().contiguous()
    data = memoryview(plain.reshape(-1).view(torch.uint8).numpy()) if plain.numel() else b""
    return ["pt", kind, list(plain.shape), bool(tensor.requires_grad), encoder.blob(data)]


def _write_frame(encoder: Encoder, frame: Any, pandas: Any) -> Any:
    names = _write_index(encoder, frame.columns, pandas)
    columns = [_write_column(encoder, frame.iloc[:, at], pandas) for at in range(frame.shape[1])]
    return ["df", names, columns, _write_index(encoder, frame.index, pandas)]


def _write_column(encoder: Encoder, series: Any, pandas: Any) -> Any:
    kind = str(series.dtype)
    values = series.to_numpy()
    if not PANDAS_TYPE.fullmatch(kind) and NUMPY_TYPE.fullmatch(values.dtype.str):
        return encoder.node(values)
    if len(series) > MOST_OBJECTS:
        raise TooLarge(f"The table has more than {MOST_OBJECTS:,} rows.")
    items = [None if item is pandas.NA else item for item in series.astype(object).tolist()]
    return ["do", kind if PANDAS_TYPE.fullmatch(kind) else "object", *map(encoder.node, items)]


def _write_index(encoder: Encoder, index: Any, pandas: Any) -> Any:
    if type(index) is pandas.RangeIndex:
        return ["dr", encoder.node(index.name), index.start, index.stop, index.step]
    names = [encoder.node(name) for name in index.names]
    if isinstance(index, pandas.MultiIndex):
        return ["dm", names, *map(encoder.node, index.tolist())]
    return ["di", names[0], _write_column(encoder, index.to_series(), pandas)]


def _shape(shape: Any) -> tuple[int, ...]:
    good = type(shape) is list and len(shape) <= MOST_DIMENSIONS
    if not good or any(type(side) is not int or not 0 <= side <= LONGEST_SIDE for side in shape):
        raise WireError("An array has no possible shape.")
    if 0 in shape:
        rows = math.prod(shape[: shape.index(0)])
        if rows > MOST_EMPTY_ROWS or math.prod(side for side in shape if side) > LARGEST_HOLLOW:
            raise WireError("An array has no possible shape.")
    return tuple(shape)


def _numpy_type(text: Any) -> Any:
    import numpy as np

    if type(text) is not str or not NUMPY_TYPE.fullmatch(text):
        raise WireError("An array has a type that may not cross.")
    return np.dtype(text)


def _read_array(decoder: Decoder, items: list[Any]) -> Any:
    import numpy as np

    text, sides, count = items
    kind, shape = _numpy_type(text), _shape(sides)
    data = decoder.blob(count)
    if math.prod(shape) * kind.itemsize != len(data) or not kind.itemsize:
        raise WireError("An array's shape and bytes don't agree.")
    if kind.kind == "b":
        return np.not_equal(np.frombuffer(data, np.uint8).reshape(shape), 0)
    array = np.require(np.frombuffer(data, kind), requirements=("A", "W")).reshape(shape)
    if kind.kind == "U" and array.size and int(np.frombuffer(data, np.uint32).max()) > sys.maxunicode:
        raise WireError("An array holds text that is none.")
    return array


def _read_scalar(decoder: Decoder, items: list[Any]) -> Any:
    text, count = items
    return _read_array(decoder, [text, [], count])[()]


def _read_objects(decoder: Decoder, items: list[Any]) -> Any:
    import numpy as np

    shape = _shape(items[0])
    if math.prod(shape) != len(items) - 1:
        raise WireError("An array's shape and items don't agree.")
    flat = np.empty(len(items) - 1, dtype=object)
    for at, item in enumerate(items[1:]):
        flat[at] = decoder.value(item)
    return flat.reshape(shape)


def _torch_type(text: Any) -> Any:
    import torch

    if type(text) is not str or not TORCH_TYPE.fullmatch(text):
        raise WireError("A tensor has a type that may not cross.")
    return getattr(torch, text)


def _read_tensor(decoder: Decoder, items: list[Any]) -> Any:
    import torch

    text, sides, wants_gradient, count = items
    kind, shape = _torch_type(text), _shape(sides)
    data = decoder.blob(count)
    if math.prod(shape) * kind.itemsize != len(data) or type(wants_gradient) is not bool:
        raise WireError("A tensor's shape and bytes don't agree.")
    if not data:
        tensor = torch.empty(shape, dtype=kind)
    elif kind is torch.bool:
        tensor = torch.frombuffer(_aligned(data), dtype=torch.uint8).ne(0).reshape(shape)
    else:
        tensor = torch.frombuffer(_aligned(data), dtype=kind).reshape(shape)
    return tensor.requires_grad_() if wants_gradient else tensor


def _aligned(data: memoryview) -> memoryview:
    """Writable bytes at an address that any type can have."""
    import numpy as np

    raw = np.frombuffer(data, np.uint8)
    return data if raw.ctypes.data % 16 == 0 and not data.readonly else memoryview(raw.copy())


def _read_device(_decoder: Decoder, items: list[Any]) -> Any:
    import torch

    (text,) = items
    if type(text) is not str or len(text) > 20:
        raise WireError("A device has no possible name.")
    try:
        return torch.device(text)
    except RuntimeError as error:
        raise WireError("A device has no possible name.") from error


def _read_series(decoder: Decoder, items: list[Any]) -> Any:
    import pandas as pd

    name, column, index = items
    label, values = decoder.value(name), _column(decoder, column)
    return pd.Series(values, index=_index(decoder, index), name=label)


def _read_frame(decoder: Decoder, items: list[Any]) -> Any:
    import pandas as pd

    names, columns = _index(decoder, items[0]), [_column(decoder, node) for node in items[1]]
    frame = pd.DataFrame(dict(enumerate(columns)), index=_index(decoder, items[2]))
    frame.columns = names
    return frame


def _column(decoder: Decoder, node: Any) -> Any:
    import numpy as np
    import pandas as pd

    value = decoder.value(node)
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return value
    if isinstance(value, pd.api.extensions.ExtensionArray):
        return value
    raise WireError("A table's column is none.")


def _read_column(decoder: Decoder, items: list[Any]) -> Any:
    import pandas as pd

    kind = items[0]
    if type(kind) is not str or not PANDAS_TYPE.fullmatch(kind):
        raise WireError("A column has a type that may not cross.")
    return pd.Series([decoder.value(item) for item in items[1:]], dtype=kind).array


def _index(decoder: Decoder, node: Any) -> Any:
    import pandas as pd

    value = decoder.value(node)
    if not isinstance(value, pd.Index):
        raise WireError("A table's index is none.")
    return value


def _read_range_index(decoder: Decoder, items: list[Any]) -> Any:
    import pandas as pd

    name, start, stop, step = items
    if any(type(part) is not int or abs(part) > LONGEST_SIDE for part in (start, stop, step)):
        raise WireError("An index has no possible range.")
    if not step or len(range(start, stop, step)) > LONGEST_RANGE:
        raise WireError("An index has no possible range.")
    return pd.RangeIndex(start, stop, step, name=decoder.value(name))


def _read_plain_index(decoder: Decoder, items: list[Any]) -> Any:
    import pandas as pd

    name, column = items
    label = decoder.value(name)
    return pd.Index(_column(decoder, column), name=label)


def _read_multi_index(decoder: Decoder, items: list[Any]) -> Any:
    import pandas as pd

    if type(items[0]) is not list:
        raise WireError("An index has no names.")
    names = [decoder.value(name) for name in items[0]]
    return pd.MultiIndex.from_tuples([decoder.value(item) for item in items[1:]], names=names)


READERS: Final[Mapping[str, Callable[[Decoder, list[Any]], Any]]] = {
    "na": _read_array,
    "ns": _read_scalar,
    "nd": lambda _decoder, items: _numpy_type(*items),
    "no": _read_objects,
    "pt": _read_tensor,
    "pd": lambda _decoder, items: _torch_type(*items),
    "pv": _read_device,
    "df": _read_frame,
    "ds": _read_series,
    "do": _read_column,
    "dr": _read_range_index,
    "di": _read_plain_index,
    "dm": _read_multi_index,
}
