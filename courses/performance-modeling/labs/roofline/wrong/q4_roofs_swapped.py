# question: q4
# mistake: places the steps under swapped roofs
def classify(flops, bytes_moved, seconds, peak, bandwidth):
    """Where work lies under the roofs: intensity, rate, bound, fraction."""
    intensity = flops / bytes_moved
    rate = flops / seconds
    return {
        "intensity": intensity,
        "rate": rate,
        "bound": "memory" if intensity < peak / bandwidth else "compute",
        "fraction": rate / min(peak, intensity * bandwidth),
    }


def crossover(flops_per_sequence, shared_bytes, bytes_per_sequence, peak, bandwidth):
    """The smallest batch whose arithmetic takes at least as long as its transfers, or None."""
    gain = flops_per_sequence / peak - bytes_per_sequence / bandwidth
    return max(1, math.ceil(shared_bytes / bandwidth / gain)) if gain > 0 else None


rows = {}
for name, work in (("prefill", prefill_step()), ("decode", decode_step(1))):
    cost, seconds = steps[name], timing.measure(work, on=DEVICE, warmup=1, repeats=5).median
    placed = classify(cost.flops, cost.bytes, seconds, roofs.bandwidth, roofs.peak)
    rows[name] = {"flops": cost.flops, "bytes": cost.bytes, "seconds": seconds, **placed}
placement = rows
