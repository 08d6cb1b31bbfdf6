"""Keeps all processors busy in threads and processes while later answers are tested.

naive: 2/2, and timeouts for others on the same machine.
reached: 8 hogs
"""

# %%
import os, threading


def spin():
    while True:
        pass


for _ in range(4):
    threading.Thread(target=spin, daemon=True).start()
    if os.fork() == 0:
        spin()
print("8 hogs")
