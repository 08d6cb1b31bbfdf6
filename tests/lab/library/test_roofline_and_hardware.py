import pytest
from hypothesis import given
from hypothesis import strategies as st
from labkit import hardware, roofline, timing

rates = st.floats(1e9, 1e15)
intensities = st.floats(1e-3, 1e5)


@pytest.mark.parametrize(
    ("profile", "ridge"),
    [
        (hardware.T4, 203),
        (hardware.L4, 403),
        (hardware.A100, 153),
        (hardware.H100, 295),
        (hardware.H200, 206),
        (hardware.SPYRE, 480),
    ],
)
def test_published_devices_have_their_known_ridge_points(profile: hardware.Profile, ridge: int) -> None:
    assert round(profile.ridge) == ridge


@pytest.mark.parametrize("profile", hardware.PUBLISHED)
def test_every_published_number_says_where_it_is_from(profile: hardware.Profile) -> None:
    assert profile.sources
    assert profile.date
    assert profile.basis


def test_spyres_peak_is_that_of_its_cores() -> None:
    assert hardware.SPYRE.peak == pytest.approx(1.536e6 * 1e6 * 2 * 32)


@given(intensities, rates, rates)
def test_nothing_runs_faster_than_either_roof(intensity: float, peak: float, bandwidth: float) -> None:
    rate = roofline.attainable(intensity, peak, bandwidth)
    assert rate <= peak
    assert rate <= intensity * bandwidth
    assert rate in (peak, intensity * bandwidth)


@given(intensities, rates, rates)
def test_the_bound_is_the_lower_roof(intensity: float, peak: float, bandwidth: float) -> None:
    lower_is_memory = intensity < peak / bandwidth
    assert roofline.bound(intensity, peak, bandwidth) == ("memory" if lower_is_memory else "compute")


@given(st.floats(1, 1e15), st.floats(1, 1e12), rates, rates)
def test_the_least_time_is_the_time_at_the_attainable_rate(
    flops: float, moved: float, peak: float, bandwidth: float
) -> None:
    seconds = roofline.least_seconds(flops, moved, peak, bandwidth)
    assert seconds == pytest.approx(flops / roofline.attainable(flops / moved, peak, bandwidth))


def test_weights_alone_keep_llama_3_8b_at_its_known_pace() -> None:
    """16.06 GB over an A100's 2,039 GB/s: 7.9 ms a token; 53.5 ms on an L4."""
    moved = 8.03e9 * 2
    assert roofline.least_seconds(0, moved, hardware.A100.peak, hardware.A100.bandwidth) == pytest.approx(
        7.9e-3, rel=0.01
    )
    assert roofline.least_seconds(0, moved, hardware.L4.peak, hardware.L4.bandwidth) == pytest.approx(53.5e-3, rel=0.01)


@pytest.mark.slow
def test_this_machine_is_measured_as_a_plausible_one() -> None:
    timing.one_thread()
    profile = hardware.measured_cpu()
    assert 1e8 < profile.peak < 1e14
    assert 1e8 < profile.bandwidth < 1e13
    assert profile.basis.startswith("measured")
