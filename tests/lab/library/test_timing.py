import pytest
from hypothesis import given
from hypothesis import strategies as st
from labkit import timing


def test_warm_up_runs_are_not_among_the_samples() -> None:
    runs: list[int] = []
    found = timing.measure(lambda: runs.append(1), warmup=3, repeats=5)
    assert len(runs) == 8
    assert len(found.samples) == len(found.returned) == 5


def test_each_run_gets_what_its_own_setup_made() -> None:
    given_to_work: list[int] = []
    made = iter(range(100))
    timing.measure(given_to_work.append, setup=lambda: next(made), warmup=1, repeats=3)
    assert given_to_work == [0, 1, 2, 3]


def test_a_call_returns_no_later_than_its_work_is_done() -> None:
    found = timing.measure(lambda: sum(range(1000)), repeats=5)
    assert all(0 <= back <= done for back, done in zip(found.returned, found.samples, strict=True))


def test_no_repetition_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one repetition"):
        timing.measure(lambda: None, repeats=0)


def test_one_disturbed_sample_leaves_the_median_alone() -> None:
    found = timing.Timing((1.0, 1.0, 1.0, 1.0, 90.0), (0.0,) * 5, 0, "cpu")
    assert found.median == 1.0
    assert found.best == 1.0


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.floats(0, 1))
def test_a_quantile_lies_among_the_values(values: list[float], fraction: float) -> None:
    assert min(values) <= timing.quantile(values, fraction) <= max(values)


def test_quantiles_are_interpolated() -> None:
    assert timing.quantile([4.0, 1.0, 2.0], 0.75) == 3.0


@pytest.mark.parametrize(("values", "fraction"), [([], 0.5), ([1.0], 1.5)])
def test_a_quantile_that_does_not_exist_is_refused(values: list[float], fraction: float) -> None:
    with pytest.raises(ValueError, match="quantile"):
        timing.quantile(values, fraction)
