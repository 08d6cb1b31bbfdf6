"""Hooks at the process's end that never return, threads that never end, destructors that wait.

naive: hangs, the kernel doesn't end.
reached: hooks set
"""

# %%
import atexit, threading, time


class Waits:
    def __del__(self):
        time.sleep(3600)


waits = Waits()
atexit.register(time.sleep, 3600)
threading._register_atexit(time.sleep, 3600)
threading.Thread(target=time.sleep, args=(3600,)).start()
print("hooks set")
