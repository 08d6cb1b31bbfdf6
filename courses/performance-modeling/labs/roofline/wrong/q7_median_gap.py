# question: q7
# mistake: gives the median gap for the mean one
def latency(record):
    """ttft_s, tpot_s and worst_gap_s of one request, in seconds."""
    stamps = record["stamps_s"]
    gaps = [after - before for before, after in zip(stamps, stamps[1:])]
    return {
        "ttft_s": stamps[0] - record["arrived_s"],
        "tpot_s": statistics.median(gaps) if gaps else None,
        "worst_gap_s": max(gaps) if gaps else None,
    }


def generate(prompt, new_tokens):
    """A record of greedy generation after `prompt`: arrived_s, started_s, stamps_s, tokens."""
    arrived = time.perf_counter()
    cache = model.cache(1, len(prompt) + new_tokens)
    started = time.perf_counter()
    tokens, stamps, ids = [], [], prompt
    for _ in range(new_tokens):
        tokens.append(int(model(model.ids([ids]), cache).argmax()))  # int() waits for the device
        stamps.append(time.perf_counter())
        ids = tokens[-1:]
    return {"arrived_s": arrived, "started_s": started, "stamps_s": stamps, "tokens": tokens}
