# question: q5
# mistake: gives an interval that its own floors contradict
floors = {
    batch: max(step_cost[batch].flops / roofs.peak, step_cost[batch].bytes / roofs.bandwidth) for batch in (1, 16)
}
modeled = 16 * floors[1] / floors[16]
# Overhead that does not grow with the batch would raise the speed-up a little; poor kernels at 16 rows lower it a lot.
interval = {
    "peak": roofs.peak,
    "bandwidth": roofs.bandwidth,
    "least_seconds": floors,
    "low": 1.0,
    "high": 1.5,
}
prediction = interval
