"""Forks without end, and so do its children; all of them stay.

naive: hangs, and the machine hardly answers.
limits: pids=64
reached: no more processes: True
"""

# %%
import os, signal, time

here, full = os.getpid(), False
while not full:
    try:
        if os.fork() == 0:
            continue
    except BlockingIOError:
        full = True
while os.getpid() != here:
    time.sleep(60)
print("no more processes:", full)
