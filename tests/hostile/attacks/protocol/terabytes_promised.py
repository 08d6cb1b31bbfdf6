"""A frame whose header promises terabytes, and a flood after it.

naive: the grader dies for want of memory, as it allocates what the header says.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(frame(b"", says=(2**32 - 1, 2**64 - 1)) + b"x" * 100_000)
