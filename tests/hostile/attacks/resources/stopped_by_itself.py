"""Stops itself with SIGSTOP: neither dead nor alive, and no interrupt reaches it.

naive: hangs, otter-grader waits for ever.
limits: cell_s=2
failed: TimeLimit
status: partial
"""

# %%
import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
