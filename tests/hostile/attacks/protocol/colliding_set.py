"""A set of half a million numbers that all have the same hash.

naive: hours of the grader for one message.
uses: forge
limits: cell_s=3
failed: ConnectionDisturbed
"""
# %%
reply('["s",' + ",".join(str(n * (2**61 - 1)) for n in range(1, 500_000)) + "]")
