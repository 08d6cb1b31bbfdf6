"""A shell function that starts itself twice in the background, and again; it goes on while tests run.

naive: otter-grader's container has no limit on processes: the host is lost.
limits: pids=64
reached: the bomb goes off: None
"""

# %%
import subprocess

bomb = subprocess.Popen(["sh", "-c", "b() { b | b & }; while :; do b; done"], stderr=-3)
try:
    bomb.wait(timeout=1)
except subprocess.TimeoutExpired:
    print("the bomb goes off:", bomb.returncode)
