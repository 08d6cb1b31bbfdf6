# question: q5
# mistake: reasons with the published roofs of a GPU, whatever this device is
floors = {
    batch: max(step_cost[batch].flops / hardware.H200.peak, step_cost[batch].bytes / hardware.H200.bandwidth) for batch in (1, 16)
}
modeled = 16 * floors[1] / floors[16]
# Overhead that does not grow with the batch would raise the speed-up a little; poor kernels at 16 rows lower it a lot.
interval = {
    "peak": hardware.H200.peak,
    "bandwidth": hardware.H200.bandwidth,
    "least_seconds": floors,
    "low": max(1.0, modeled / 3.3),
    "high": min(16.0, modeled * 1.1),
}
prediction = interval
