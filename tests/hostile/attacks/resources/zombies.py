"""Children that end at once and are never waited for fill the table of processes.

naive: 2/2, and a host that can't start programs until the notebook ends.
limits: pids=64
reached: no more processes after less than 64
"""

# %%
import os, signal

signal.signal(signal.SIGCHLD, signal.SIG_DFL)
dead = 0
try:
    while True:
        if os.fork() == 0:
            os._exit(0)
        dead += 1
except BlockingIOError:
    print("no more processes after less than 64" if dead < 64 else f"{dead} zombies")
