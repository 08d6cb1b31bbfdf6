"""Blocks the signal that ends long cells, and then computes for ever.

naive: hangs, otter-grader waits for ever.
limits: cell_s=2
message q2: Cell 4 (question q2) ran longer than 2 s and was stopped.
status: partial
"""

# %%
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP})
while True:
    pass
