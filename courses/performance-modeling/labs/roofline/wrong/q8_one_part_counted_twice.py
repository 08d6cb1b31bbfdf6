# question: q8
# mistake: counts the part that is written and the part that is read even where they are the same
def stays(tokens, d_ff, budget, up, act, down):
    """Which of up's and act's results may stay on chip, given how each result is cut over the cores."""
    def fits(written, read):
        parts = (tuple(written), tuple(read))
        return sum(scratchpad.slice_bytes(tokens, d_ff, rows, columns) for rows, columns in parts) <= budget

    return {"up": fits(up, act), "act": fits(act, (down[0], 1))}


def traffic(tokens, d_model, d_ff, on_chip):
    """Off-chip bytes of the layer."""
    trips = sum(not on_chip[name] for name in ("up", "act"))
    return 2 * (2 * d_model * d_ff + 2 * tokens * d_model + 2 * trips * tokens * d_ff)


layer_flops = 2 * counts.linear(512, 4096, 11008, itemsize=2).flops
table = {}
for name, on_chip in (("none", ()), ("up", ("up",)), ("both", ("up", "act"))):
    moved = traffic(512, 4096, 11008, {tensor: tensor in on_chip for tensor in ("up", "act")})
    table[name] = {
        "bytes": moved,
        "seconds": roofline.least_seconds(layer_flops, moved, hardware.SPYRE.peak, hardware.SPYRE.bandwidth),
        "bound": roofline.bound(layer_flops / moved, hardware.SPYRE.peak, hardware.SPYRE.bandwidth),
    }
spyre = table
