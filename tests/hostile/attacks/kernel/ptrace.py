"""Attaches to other processes as a debugger does, and reads and writes their memory.

naive: 2/2, tests that run in a parent process of the same user can be stopped and rewritten.
uses: attempt
reached: 12 attempts, through: []
"""

# %%
import time

child = os.fork()
if child == 0:
    time.sleep(60)
    os._exit(0)
buffer = ctypes.create_string_buffer(64)
here = (ctypes.c_uint64 * 2)(ctypes.addressof(buffer), 64)
for pid in (1, os.getppid(), child):
    attempt(f"attach {pid}", lambda: syscall(101, 117, 16, pid, 0, 0))
    attempt(f"seize {pid}", lambda: syscall(101, 117, 0x4206, pid, 0, 0))
    attempt(f"read {pid}", lambda: syscall(310, 270, pid, here, 1, here, 1, 0))
    attempt(f"write {pid}", lambda: syscall(311, 271, pid, here, 1, here, 1, 0))
os.kill(child, 9)
os.waitpid(child, 0)
print(f"{len(tried)} attempts, through: {through}")
