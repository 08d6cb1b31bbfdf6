"""Measurements made elsewhere and kept, so that a lesson can show hardware that the reader lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

RECORDED: Final = {
    "device": "NVIDIA H200",
    "driver": "580.159.04",
    "torch": "2.11.0+cu130",
    "cuda": "13.0",
    "python": "3.12",
    "date": "2026-11-30",
    "made_by": "labkit.timing and labkit.model, eager mode, fp16, default clocks",
}
"""Where and how everything below was measured."""

# Microseconds on one clock: the call begins, the call returns, the device has finished.
_MATMUL_8192: Final = (
    (0.0, 140672.6, 142065.5),
    (142073.5, 142189.8, 143627.4),
    (143629.8, 143670.4, 145105.1),
    (145107.1, 145145.1, 146578.5),
    (146580.1, 146607.0, 148042.4),
    (148044.0, 148066.5, 149500.5),
    (149501.8, 149526.3, 150972.7),
    (150975.1, 151018.2, 152454.7),
    (152455.9, 152476.6, 153912.9),
    (153915.0, 153939.1, 155375.9),
    (155377.1, 155399.9, 156841.1),
    (156842.8, 156887.7, 158328.9),
    (158330.3, 158389.5, 159829.1),
    (159830.1, 159855.0, 161296.7),
)


def h200_matmul_log() -> dict[str, Any]:
    """The log of a benchmark: one 8192 x 8192 x 8192 fp16 matrix multiplication, launched 14 times.

    Each event says when the call began, when it returned and when the device had finished, in seconds on one clock.
    The first launch also loads and chooses the kernel.
    """
    names = ("begin_s", "returned_s", "finished_s")
    events = [dict(zip(names, (t / 1e6 for t in times), strict=True)) for times in _MATMUL_8192]
    return {**RECORDED, "m": 8192, "k": 8192, "n": 8192, "itemsize": 2, "events": events}


@dataclass(frozen=True)
class Step:
    """One recorded step of labkit's GPU model after 512 tokens: sequences, median seconds, traced FLOPs and bytes."""

    batch: int
    seconds: float
    flops: int
    bytes: int


H200_PREFILL: Final = Step(1, 11060.1e-6, 1_030_923_223_040, 2_113_019_904)
"""Reading a prompt of 512 tokens."""

H200_DECODE: Final = (
    Step(1, 7473.6e-6, 2_144_468_992, 2_094_211_080),
    Step(2, 7991.3e-6, 4_288_937_984, 2_111_057_936),
    Step(4, 8497.7e-6, 8_577_875_968, 2_144_751_648),
    Step(8, 8003.1e-6, 17_155_751_936, 2_212_139_072),
    Step(16, 7568.9e-6, 34_311_503_872, 2_346_913_920),
    Step(32, 7826.4e-6, 68_623_007_744, 2_616_463_616),
    Step(64, 7430.0e-6, 137_246_015_488, 3_155_563_008),
    Step(128, 8039.2e-6, 274_492_030_976, 4_233_761_792),
    Step(256, 9768.8e-6, 548_984_061_952, 6_390_159_360),
)
"""Writing one token in each of `batch` sequences. Up to 128 of them the time is that of the launches."""
