"""A frame that comes one byte at a time, each just before a reader would lose patience with silence.

naive: the grader waits for hours, as its limit begins anew with each byte.
uses: forge
limits: cell_s=2
failed: TimeLimit
"""
# %%
for byte in frame("1" * 100_000):
    try:
        send(bytes([byte]))
        time.sleep(0.2)
    except KeyboardInterrupt:
        pass
