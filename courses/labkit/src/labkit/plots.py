"""A roofline as a picture. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from labkit.hardware import Profile


def roofline(profile: Profile, points: Mapping[str, tuple[float, float]]) -> Any:
    """A matplotlib figure of the profile's roofs and the points (intensity in FLOPs per byte, FLOP/s)."""
    from matplotlib import pyplot as plt

    intensities = [profile.ridge, *(intensity for intensity, _ in points.values())]
    axis = np.logspace(np.log10(min(intensities) / 8), np.log10(max(intensities) * 8), 200)
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    axes.loglog(axis, np.minimum(profile.peak, axis * profile.bandwidth), color="0.35", linewidth=2)
    axes.axvline(profile.ridge, color="0.6", linestyle=":", linewidth=1)
    axes.annotate(
        f"ridge {profile.ridge:.3g} FLOP/B", (profile.ridge, profile.peak), (4, 4), textcoords="offset points"
    )
    for marker, (label, (intensity, rate)) in zip("osD^vP*X" * len(points), points.items(), strict=False):
        axes.plot(intensity, rate, marker, markersize=9, label=label)
    axes.set(xlabel="intensity, FLOPs per byte", ylabel="FLOP/s", title=profile.name)
    axes.grid(alpha=0.25, which="both")
    axes.legend(loc="lower right")
    return figure
