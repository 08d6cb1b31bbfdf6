"""Forks without end; each child computes for ever, so that nothing else gets the processors.

naive: hangs, and the machine hardly answers.
limits: cell_s=2 pids=40
failed: TimeLimit
status: partial
"""

# %%
import os

while True:
    try:
        os.fork()
    except BlockingIOError:
        pass
