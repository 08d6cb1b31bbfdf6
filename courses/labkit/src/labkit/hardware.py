"""What devices can do: published peaks with their sources, and this machine as measured.

Peaks are dense (no structured sparsity) and for 16-bit floating point unless a profile says otherwise. FLOP/s,
bytes/s and bytes throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    import torch

Device = Literal["cpu", "cuda"]

MIB: Final = 2**20
_CHECKED: Final = "2026-11-30"


@dataclass(frozen=True)
class Profile:
    """One device's two roofs. `basis` says what kind of number they are."""

    name: str
    peak: float
    bandwidth: float
    number_format: str
    basis: str
    sources: tuple[str, ...]
    date: str
    memory_bytes: float | None = None

    @property
    def ridge(self) -> float:
        """FLOPs per byte at which both roofs meet."""
        return self.peak / self.bandwidth


T4: Final = Profile(
    name="NVIDIA T4",
    peak=65e12,
    bandwidth=320e9,
    memory_bytes=16e9,
    number_format="fp16 (its tensor cores have no bf16)",
    basis="vendor's figure, second-hand",
    sources=("https://sysrqmts.com/en/gpus/nvidia/tesla/t4 (65.13 TFLOP/s, 320.0 GB/s)",),
    date=_CHECKED,
)
L4: Final = Profile(
    name="NVIDIA L4",
    peak=121e12,
    bandwidth=300e9,
    memory_bytes=24e9,
    number_format="fp16/bf16",
    basis="vendor's figure, second-hand: half of the 242 TFLOP/s that it prints for 2:4 sparsity",
    sources=("https://inferenceengineering.tech/cheat-sheets/hardware (242 TFLOP/s sparse, 300 GB/s)",),
    date=_CHECKED,
)
A100: Final = Profile(
    name="NVIDIA A100 SXM 80 GB",
    peak=312e12,
    bandwidth=2.039e12,
    memory_bytes=80e9,
    number_format="fp16/bf16",
    basis="vendor's figure, second-hand",
    sources=("https://glennklockwood.com/garden/processors/A100",),
    date=_CHECKED,
)
H100: Final = Profile(
    name="NVIDIA H100 SXM",
    peak=989.4e12,
    bandwidth=3.35e12,
    memory_bytes=80e9,
    number_format="fp16/bf16",
    basis="vendor's figure, second-hand",
    sources=("https://glennklockwood.com/garden/processors/h100",),
    date=_CHECKED,
)
H200: Final = Profile(
    name="NVIDIA H200 SXM",
    peak=989.4e12,
    bandwidth=4.8e12,
    memory_bytes=141e9,
    number_format="fp16/bf16",
    basis="vendor's figure, second-hand: the H100's arithmetic with faster memory",
    sources=(
        "https://glennklockwood.com/garden/processors/h100",
        "https://itkb.uw.cz/2026/06/nvidia-h200-vs-b300-precisions-cores.html",
    ),
    date=_CHECKED,
)
SPYRE: Final = Profile(
    name="IBM Spyre",
    peak=98.304e12,
    bandwidth=204.8e9,
    memory_bytes=128e9,
    number_format="DL16 (1-6-9)",
    basis="constants of the open compiler: 1.536e6 MAC/us on each of 32 cores, LPDDR5 aggregate peak",
    sources=(
        "github.com/torch-spyre/torch-spyre, torch_spyre/_inductor/work_division.py, commit 9e0a3d8 (2026-08-19)",
        "github.com/torch-spyre/torch-spyre, docs/source/architecture/spyre_accelerator.md",
    ),
    date=_CHECKED,
)
PUBLISHED: Final = (T4, L4, A100, H100, H200, SPYRE)


def device() -> Device:
    """The device that this process should use: a CUDA GPU when there is one."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def dtype(on: Device) -> torch.dtype:
    """fp16 on a GPU (the T4 has no bf16 tensor cores), fp32 on a CPU (which may emulate shorter formats)."""
    import torch

    return torch.float16 if on == "cuda" else torch.float32


def itemsize(on: Device) -> int:
    """Bytes per number of `dtype(on)`."""
    return int(dtype(on).itemsize)


def describe(on: Device) -> dict[str, str]:
    """What a recorded measurement must say about where it was made."""
    import platform

    import torch

    result = {"device": platform.processor() or platform.machine(), "torch": torch.__version__}
    if on == "cuda":
        result |= {"device": torch.cuda.get_device_name(), "cuda": str(torch.version.cuda)}
    return result


def measured(on: Device) -> Profile:
    """This machine's two roofs as a plain matrix multiplication and a plain copy reach them. Takes under a second."""
    import datetime

    import torch

    from labkit import timing

    kind: dict[str, Any] = {"device": on, "dtype": dtype(on)}
    size = 8192 if on == "cuda" else 1024
    left, right = torch.randn(size, size, **kind), torch.randn(size, size, **kind)
    product = torch.empty(size, size, **kind)
    multiply = timing.measure(lambda: torch.mm(left, right, out=product), on=on, warmup=2, repeats=7)

    source = torch.ones((1024 if on == "cuda" else 128) * MIB // dtype(on).itemsize, **kind)
    target = torch.empty_like(source)
    copy = timing.measure(lambda: target.copy_(source), on=on, warmup=1, repeats=5)
    return Profile(
        name=f"{describe(on)['device']}, measured",
        peak=2 * size**3 / multiply.median,
        bandwidth=2 * source.nbytes / copy.median,
        number_format=str(dtype(on)).removeprefix("torch."),
        basis=f"measured: {size}x{size} matrix multiplication; copy of {source.nbytes // MIB} MiB, read plus write",
        sources=("labkit.hardware.measured",),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )


def measured_cpu() -> Profile:
    """`measured("cpu")`: the roofs of one thread, or of as many as torch has been told to use."""
    return measured("cpu")
