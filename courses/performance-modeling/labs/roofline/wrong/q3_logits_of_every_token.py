# question: q3
# mistake: computes logits for every new token instead of the last one
def step_counts(shape, batch, new_tokens, context, itemsize):
    """FLOPs and bytes of one step of a decoder of this shape."""
    d_model, layers = shape["d_model"], shape["layers"]
    query = shape["heads"] * shape["head_dim"]
    shared = shape["kv_heads"] * shape["head_dim"]
    layer_weights = d_model * (2 * query + 2 * shared + 3 * shape["d_ff"])
    head_weights = d_model * shape["vocab"]
    pairs = new_tokens * context + new_tokens * (new_tokens + 1) // 2
    kv_token = 2 * layers * shared * itemsize
    return {
        "linear_flops": 2 * batch * new_tokens * (layers * layer_weights + head_weights),
        "attention_flops": 2 * 2 * layers * batch * query * pairs,
        "weight_bytes": (layers * layer_weights + head_weights) * itemsize,
        "kv_read_bytes": batch * context * kv_token,
        "kv_write_bytes": batch * new_tokens * kv_token,
    }
