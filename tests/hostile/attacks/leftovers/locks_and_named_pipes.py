"""Leaves named pipes and locked files under names that programs use, so that the next one waits for ever.

naive: none for the next, it hangs where it opens the pipe or waits for the lock.
reached: blocked
"""

# %%
import fcntl, os

for path in ("/tmp/.matplotlib", "/tmp/.cache", "/dev/shm/escaped", "data.csv", "/tmp/torchinductor_student"):
    try:
        os.mkfifo(path)
    except FileExistsError:
        pass
held = os.open("/tmp/escaped.lock", os.O_CREAT | os.O_RDWR)
fcntl.flock(held, fcntl.LOCK_EX)
fcntl.lockf(held, fcntl.LOCK_EX)
print("blocked")

# %% next
import os, stat

print([path for path in ("/tmp/.cache", "/tmp/.matplotlib", "data.csv") if os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode)])
print(os.path.exists("/tmp/escaped.lock"))
