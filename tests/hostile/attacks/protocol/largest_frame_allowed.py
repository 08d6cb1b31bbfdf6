"""A frame of exactly as many bytes as are allowed, all of them nonsense.

naive: the grader dies for want of memory: a parser makes fifty bytes of one.
uses: forge
limits: cell_s=60 memory_bytes=3000000000
failed: ConnectionDisturbed
"""
# %%
text = b'["l"' + b",[]" * ((16 * 1024**2 - 5) // 3)
send(frame(text + b" " * (16 * 1024**2 - 1 - len(text)) + b"]", bytes(256 * 1024**2)))
