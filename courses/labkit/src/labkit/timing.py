"""Timing that says what it measured: warm-up apart, device synchronized, every sample kept. Seconds throughout."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Timing:
    """Samples of one repeated piece of work.

    `samples` are seconds until the work was done; `returned` are seconds until the call came back, which on an
    asynchronous device is only how long the launch took.
    """

    samples: tuple[float, ...]
    returned: tuple[float, ...]
    warmup: int
    on: str

    @property
    def median(self) -> float:
        return self.quantile(0.5)

    @property
    def best(self) -> float:
        """The fastest sample: interference only ever adds time."""
        return min(self.samples)

    @property
    def spread(self) -> float:
        """Distance between the quartiles, as a fraction of the median."""
        return (self.quantile(0.75) - self.quantile(0.25)) / self.median

    def quantile(self, fraction: float) -> float:
        """Linear interpolation between the sorted samples."""
        return quantile(self.samples, fraction)


def quantile(values: Sequence[float], fraction: float) -> float:
    """The `fraction` quantile, interpolated linearly between the sorted values. Raises ValueError on no values."""
    if not values:
        raise ValueError("There is no quantile of no samples.")
    if not 0 <= fraction <= 1:
        raise ValueError(f"A quantile lies between 0 and 1, not at {fraction}.")
    ordered = sorted(values)
    position = fraction * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def synchronize(on: str) -> None:
    """Waits until the device has finished everything that was launched. A CPU has nothing to wait for."""
    if on == "cuda":
        import torch

        torch.cuda.synchronize()


def measure(
    work: Callable[..., object],
    *,
    on: str = "cpu",
    setup: Callable[[], Any] | None = None,
    warmup: int = 3,
    repeats: int = 10,
) -> Timing:
    """Runs `work` `warmup` times unrecorded, then `repeats` times recorded.

    With `setup`, each run is `work(setup())`: fresh buffers or a rewound cache, made outside the timed region.
    """
    if repeats < 1:
        raise ValueError(f"A measurement needs at least one repetition, not {repeats}.")
    samples: list[float] = []
    returned: list[float] = []
    for index in range(-warmup, repeats):
        arguments = () if setup is None else (setup(),)
        synchronize(on)
        begin = time.perf_counter()
        work(*arguments)
        back = time.perf_counter()
        synchronize(on)
        done = time.perf_counter()
        if index >= 0:
            samples.append(done - begin)
            returned.append(back - begin)
    return Timing(tuple(samples), tuple(returned), warmup, on)


def one_thread() -> None:
    """Makes torch use one CPU thread. One core's roofs are far steadier than those of cores that others share."""
    import torch

    torch.set_num_threads(1)
