"""Leaves the answers in shared memory, semaphores and message queues, of System V and of POSIX.

naive: 2/2 for the next, these outlive the process, and nobody looks for them.
reached: left: shared memory semaphore message POSIX
"""

# %%
import ctypes
from multiprocessing import resource_tracker, shared_memory

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
resource_tracker.register = lambda *_: None
left = []
segment = libc.shmget(0x5EC2E7, 4096, 0o1666)
if segment >= 0:
    ctypes.memmove(libc.shmat(segment, None, 0), b"x * x", 5)
    left.append("shared memory")
left += ["semaphore"] * (libc.semget(0x5EC2E7, 1, 0o1666) >= 0)
queue = libc.msgget(0x5EC2E7, 0o1666)
left += ["message"] * (queue >= 0 and libc.msgsnd(queue, b"\x01" + bytes(7) + b"x * x", 5, 0o4000) == 0)
kept = shared_memory.SharedMemory("escaped-answers", create=True, size=4096)
kept.buf[:5] = b"x * x"
left.append("POSIX")
print("left:", *left)

# %% next
import ctypes
from multiprocessing import shared_memory

libc = ctypes.CDLL(None, use_errno=True)
print(libc.shmget(0x5EC2E7, 0, 0), libc.semget(0x5EC2E7, 0, 0), libc.msgget(0x5EC2E7, 0))
try:
    print("found", bytes(shared_memory.SharedMemory("escaped-answers").buf[:5]))
except FileNotFoundError:
    print("no shared memory of that name")
