# question: q1
# mistake: reports the fastest sample, which one false reading moves
def durations(events, warmup):
    """Seconds of work of each event after the first `warmup` ones.

    events: list of dicts with begin_s, returned_s and finished_s, seconds on one clock.
    """
    return [event["finished_s"] - event["begin_s"] for event in events[warmup:]]


def matmul_rate(m, k, n, seconds):
    """FLOP/s of [m, k] x [k, n] that took `seconds`, a list of durations."""
    return 2 * m * k * n / min(seconds)


def copy_rate(elements, itemsize, seconds):
    """Bytes/s moved by a copy of `elements` numbers of `itemsize` bytes that took `seconds`, a list of durations."""
    return 2 * elements * itemsize / min(seconds)


h200_fraction = matmul_rate(log["m"], log["k"], log["n"], durations(log["events"], 3)) / hardware.H200.peak
