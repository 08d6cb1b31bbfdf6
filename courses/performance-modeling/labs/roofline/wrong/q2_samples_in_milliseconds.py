# question: q2
# mistake: keeps the samples in milliseconds and derives the rates from them
def measure_matmul(n, repeats):
    """Seconds of each of `repeats` multiplications of two n x n matrices."""
    left, right = (torch.randn(n, n, device=DEVICE, dtype=DTYPE) for _ in range(2))
    product = torch.empty_like(left)
    return list(timing.measure(lambda: torch.mm(left, right, out=product), on=DEVICE, repeats=repeats).samples)


def measure_copy(elements, repeats):
    """Seconds of each of `repeats` copies of `elements` numbers."""
    source = torch.ones(elements, device=DEVICE, dtype=DTYPE)
    target = torch.empty_like(source)
    return list(timing.measure(lambda: target.copy_(source), on=DEVICE, repeats=repeats).samples)


size = 8192 if DEVICE == "cuda" else 1024
elements = 256 * 2**20 // ITEMSIZE
matmul = {"n": size, "seconds": [1e3 * s for s in measure_matmul(size, 10)]}
copy = {"elements": elements, "itemsize": ITEMSIZE, "seconds": [1e3 * s for s in measure_copy(elements, 10)]}
roofs_here = {
    "matmul": matmul,
    "copy": copy,
    "peak": 2 * size**3 / statistics.median(matmul["seconds"]),
    "bandwidth": 2 * elements * ITEMSIZE / statistics.median(copy["seconds"]),
}
machine = roofs_here
