"""Off-chip traffic on machines whose on-chip memory is placed by the compiler: no cache, no eviction.

Spyre's numbers are those of the open compiler, github.com/torch-spyre/torch-spyre at commit 9e0a3d8 (2026-08-19).
Sizes in bytes.
"""

from __future__ import annotations

from math import ceil
from typing import Final

CORES: Final = 32
"""Cores of one Spyre card (docs/source/architecture/spyre_accelerator.md)."""

STICK_BYTES: Final = 128
"""The unit of transfer and of alignment: 64 numbers of 2 bytes (csrc/spyre_tensor_impl.cpp)."""

SCRATCHPAD_BYTES: Final = 2 * 2**20
"""LX, the scratchpad of one core (docs/source/architecture/spyre_accelerator.md)."""

_RESERVED_BYTES: Final = 64 * 2**10
_BACK_END_SHARE: Final = 0.2


def round_up(size: int, unit: int = STICK_BYTES) -> int:
    """The smallest multiple of `unit` that holds `size`."""
    return -(-size // unit) * unit


def lx_budget() -> int:
    """LX bytes per core that the compiler's planner may fill: 1,625,344.

    2 MiB less 64 KiB; a fifth of the rest belongs to the back end (`DXP_LX_FRAC_AVAIL`); rounded up to a stick
    (compiler/scratchpad_planning.md, allocator.py).
    """
    return round_up(int((SCRATCHPAD_BYTES - _RESERVED_BYTES) * (1 - _BACK_END_SHARE)))


def sticks(elements: int, itemsize: int = 2) -> int:
    """Sticks that hold a row of `elements` numbers."""
    return ceil(elements * itemsize / STICK_BYTES)


def slice_bytes(rows: int, columns: int, row_splits: int, column_splits: int, *, itemsize: int = 2) -> int:
    """Bytes of one core's share of a [rows, columns] tensor cut into row_splits x column_splits parts.

    The largest share where the cut is uneven, padded to whole sticks along the columns.
    """
    share = ceil(columns / column_splits)
    return ceil(rows / row_splits) * round_up(share * itemsize)


def matmul_traffic(m: int, k: int, n: int, tile_m: int, tile_n: int, *, itemsize: int) -> int:
    """Off-chip bytes of [m, k] x [k, n] when one tile_m x tile_n tile of the result stays on chip until it is done.

    Each column of tiles reads the left operand once more, each row of tiles the right one.
    """
    left = m * k * ceil(n / tile_n)
    right = k * n * ceil(m / tile_m)
    return (left + right + m * n) * itemsize


def matmul_working_set(tile_m: int, tile_n: int, tile_k: int, *, itemsize: int, accumulator: int = 4) -> int:
    """On-chip bytes that such a tiling needs: the result's accumulators and one panel of each operand."""
    return tile_m * tile_n * accumulator + (tile_m + tile_n) * tile_k * itemsize
