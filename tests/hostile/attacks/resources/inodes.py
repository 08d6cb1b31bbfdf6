"""Makes empty files by the hundred thousand: a disk can be full without holding a byte.

naive: 2/2, and no more files on the host's disk.
reached: made
answers: own
"""

# %%
import os, time

made, end = 0, time.monotonic() + 3
os.mkdir("/tmp/many")
try:
    while made < 200_000 and time.monotonic() < end:
        os.close(os.open(f"/tmp/many/{made}", os.O_CREAT | os.O_WRONLY))
        made += 1
except OSError as error:
    print(error)
print("made", made)

# %%
def f2(x):
    return -1
