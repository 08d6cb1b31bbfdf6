"""Copies open descriptors out of other processes by pidfd_getfd.

naive: 2/2, the result file's or socket's descriptor of a parent of the same user is one call away.
uses: attempt
reached: through: []
reached: tried 1
reached: tried 256
"""

# %%
for pid in {1, os.getppid()}:
    pidfd = os.pidfd_open(pid)
    for number in range(128):
        attempt(f"{number} of {pid}", lambda: syscall(438, 438, pidfd, number, 0))
print("tried 1")
child = os.fork()
if child == 0:
    import time

    time.sleep(60)
pidfd = os.pidfd_open(child)
for number in range(128):
    attempt(f"{number} of a child", lambda: syscall(438, 438, pidfd, number, 0))
os.kill(child, 9)
os.waitpid(child, 0)
print(f"tried {256 if len(tried) >= 256 else len(tried)}, through: {through}")
