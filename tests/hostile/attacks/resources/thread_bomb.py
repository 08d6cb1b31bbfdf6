"""Starts threads until no more can be had, and keeps them all.

naive: 2/2, after a while and with thousands of threads on the host.
limits: pids=64
reached: can't start new thread
"""

# %%
import threading

forever = threading.Event()
try:
    while True:
        threading.Thread(target=forever.wait, daemon=True).start()
except RuntimeError as error:
    print(error)
