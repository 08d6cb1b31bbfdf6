"""The roofline: how fast work of a given intensity can run, and which roof stops it.

Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for multicore architectures",
Communications of the ACM 52(4), 2009. Peak in FLOP/s, bandwidth in bytes/s, intensity in FLOPs per byte.
"""

from __future__ import annotations

from typing import Literal

Bound = Literal["memory", "compute"]


def ridge_point(peak: float, bandwidth: float) -> float:
    """The intensity at which both roofs meet, in FLOPs per byte."""
    return peak / bandwidth


def attainable(intensity: float, peak: float, bandwidth: float) -> float:
    """The most FLOP/s that work of this intensity can reach."""
    return min(peak, intensity * bandwidth)


def bound(intensity: float, peak: float, bandwidth: float) -> Bound:
    """Which roof is the lower one. At the ridge itself both bind; it is called compute."""
    return "memory" if intensity < ridge_point(peak, bandwidth) else "compute"


def least_seconds(flops: float, bytes_moved: float, peak: float, bandwidth: float) -> float:
    """A floor under the time: the arithmetic and the transfers overlap fully, neither can be faster than its roof."""
    return max(flops / peak, bytes_moved / bandwidth)
