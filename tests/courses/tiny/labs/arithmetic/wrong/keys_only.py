# question: q3
# mistake: counts the keys and forgets the values
def cache_bytes(layers, kv_heads, head_size, tokens, item_bytes):
    return layers * kv_heads * head_size * tokens * item_bytes
