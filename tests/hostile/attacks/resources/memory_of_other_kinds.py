"""Memory that an allocator doesn't count: shared mappings, files in memory, System V segments.

naive: no score, and less memory for everyone: limits for each process miss all of it.
message q2: the memory limit of 512 MiB
status: partial
"""

# %%
import ctypes
import mmap
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
page = b"x" * 16_000_000
kept = []
while True:
    kept.append(mmap.mmap(-1, len(page)))
    kept[-1].write(page)
    os.write(os.memfd_create("hog"), page)
    segment = libc.shmat(libc.shmget(0, len(page), 0o1666), None, 0)
    if segment not in (None, 2**64 - 1):
        ctypes.memset(segment, 7, len(page))
