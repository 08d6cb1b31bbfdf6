"""Closes every descriptor that it has.

naive: no score at all, as the runner fails when its channel breaks.
message q2: Cell 4 (question q2)
failed: ConnectionClosed
"""
# %%
import os, time
os.closerange(3, 1000)
time.sleep(100)
