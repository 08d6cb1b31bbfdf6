"""Sends SIGKILL, SIGSTOP and SIGTERM to the first process, its parent, and everyone it can see.

naive: no score, otter-grader's own process is the notebook's parent and has the same user.
reached: 6 signals sent, and the first process lives
"""

# %%
import os, signal

child = os.fork()
if child == 0:
    signal.pause()
sent = 0
for pid in (1, os.getppid()):
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except PermissionError:
            pass
        sent += 1
print(sent, "signals sent, and the first process", "lives" if os.path.exists("/proc/1") else "is gone")
