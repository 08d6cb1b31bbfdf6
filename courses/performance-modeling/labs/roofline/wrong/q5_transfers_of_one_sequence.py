# question: q5
# mistake: takes the step of 16 to move what 16 steps of 1 move
floors = {
    batch: max(step_cost[batch].flops / roofs.peak, batch * step_cost[1].bytes / roofs.bandwidth) for batch in (1, 16)
}
modeled = 16 * floors[1] / floors[16]
# Overhead that does not grow with the batch would raise the speed-up a little; poor kernels at 16 rows lower it a lot.
interval = {
    "peak": roofs.peak,
    "bandwidth": roofs.bandwidth,
    "least_seconds": floors,
    "low": max(1.0, modeled / 3.3),
    "high": min(16.0, modeled * 1.1),
}
prediction = interval
