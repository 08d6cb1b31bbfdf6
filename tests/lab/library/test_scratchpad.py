"""Spyre's published rules, against the numbers that its open compiler prints."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labkit import scratchpad

sizes = st.integers(1, 30)


def test_the_planner_may_fill_the_published_share_of_a_scratchpad() -> None:
    """1,625,344 B per core: torch-spyre, compiler/scratchpad_planning.md."""
    assert scratchpad.lx_budget() == 1_625_344


@pytest.mark.parametrize(("row_splits", "column_splits"), [(8, 4), (32, 1)])
def test_the_published_layers_hidden_tensor_has_its_known_slice(row_splits: int, column_splits: int) -> None:
    """512 x 11008 numbers of 2 bytes over 32 cores: LX offset 352,256 in the kernel that the compiler emits."""
    assert scratchpad.slice_bytes(512, 11008, row_splits, column_splits) == 352_256


def test_a_row_that_fills_no_stick_takes_a_whole_one() -> None:
    assert scratchpad.slice_bytes(10, 1, 1, 1) == 10 * scratchpad.STICK_BYTES


@pytest.mark.parametrize(("elements", "expected"), [(1, 1), (64, 1), (65, 2), (11008, 172)])
def test_sticks_hold_64_numbers_of_two_bytes(elements: int, expected: int) -> None:
    assert scratchpad.sticks(elements) == expected


@given(sizes, sizes, sizes, sizes, sizes)
def test_tiled_traffic_is_what_a_loop_over_tiles_loads_and_stores(m: int, k: int, n: int, tm: int, tn: int) -> None:
    moved = 0
    for row in range(ceil(m / tm)):
        for column in range(ceil(n / tn)):
            rows, columns = min(tm, m - row * tm), min(tn, n - column * tn)
            moved += rows * k + k * columns + rows * columns
    assert scratchpad.matmul_traffic(m, k, n, tm, tn, itemsize=2) == 2 * moved


def test_a_tile_as_large_as_the_result_reads_everything_once() -> None:
    assert scratchpad.matmul_traffic(10, 20, 30, 10, 30, itemsize=1) == 10 * 20 + 20 * 30 + 10 * 30


def test_a_tiling_needs_room_for_its_result_and_a_panel_of_each_operand() -> None:
    assert scratchpad.matmul_working_set(2, 3, 5, itemsize=2) == 2 * 3 * 4 + (2 + 3) * 5 * 2


@given(st.integers(0, 10**6), st.integers(1, 4096))
def test_rounding_up_gives_the_next_multiple(size: int, unit: int) -> None:
    rounded = scratchpad.round_up(size, unit)
    assert rounded % unit == 0
    assert 0 <= rounded - size < unit
