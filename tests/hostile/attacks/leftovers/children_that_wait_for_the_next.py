"""Leaves processes that look for the next notebook's process, to change its answers or read its work.

naive: 2/2, or the next student's answers copied.
reached: 3 wait
"""

# %%
import os, signal, time

for number in range(3):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end = time.monotonic() + 30
        known = set(os.listdir("/proc"))
        while time.monotonic() < end:
            for name in set(os.listdir("/proc")) - known:
                if name.isdigit():
                    try:
                        os.kill(int(name), signal.SIGKILL)
                    except OSError:
                        pass
            time.sleep(0.02)
        os._exit(0)
print(3, "wait")
