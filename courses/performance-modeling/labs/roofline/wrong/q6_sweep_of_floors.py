# question: q6
# mistake: fills the sweep with floors where measurements were asked for
def measure_step(batch, repeats):
    """Seconds of each of `repeats` decode steps with `batch` sequences."""
    return list(timing.measure(decode_step(batch), on=DEVICE, warmup=1, repeats=repeats).samples)


def verdict(low, high, rows):
    """How an interval for the speed-up of batch 16 over batch 1 fared: speedup, inside, miss."""
    rate = {row["batch"]: row["tokens_per_s"] for row in rows}
    speedup = rate[16] / rate[1]
    inside = low <= speedup <= high
    return {"speedup": speedup, "inside": inside, "miss": max(1.0, low / speedup, speedup / high)}


def best_batch(rows, limit_s):
    """The batch with the most tokens per second whose step takes at most `limit_s`, or None."""
    quick = [row for row in rows if row["step_s"] <= limit_s]
    return max(quick, key=lambda row: row["tokens_per_s"])["batch"] if quick else None


measured = []
for batch in BATCHES:
    seconds = [max(step_cost[batch].flops / roofs.peak, step_cost[batch].bytes / roofs.bandwidth)] * 5
    step_s = statistics.median(seconds)
    measured.append({"batch": batch, "seconds": seconds, "step_s": step_s, "tokens_per_s": batch / step_s})
sweep = measured
