"""Makes namespaces of its own, in which it would be root and could reach far more of the kernel.

naive: 2/2, user namespaces are open to everyone on most machines.
uses: attempt
reached: 21 attempts, through: []
reached: unshare says no
"""

# %%
import subprocess

FLAGS = {"mnt": 1 << 17, "cgroup": 1 << 25, "uts": 1 << 26, "ipc": 1 << 27, "user": 1 << 28, "pid": 1 << 29,
         "net": 1 << 30}  # fmt: skip
for name, flag in FLAGS.items():
    attempt(f"unshare {name}", lambda: libc.unshare(flag))


def clone(flags):
    pid = syscall(56, 220, flags | 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid


for name, flag in FLAGS.items():
    attempt(f"clone {name}", lambda: clone(flag))
    arguments = (ctypes.c_uint64 * 11)(flag, 0, 0, 0, 17)
    attempt(f"clone3 {name}", lambda: syscall(435, 435, arguments, ctypes.sizeof(arguments)))
done = subprocess.run(["unshare", "-Urm", "id"], capture_output=True, text=True)
print(f"{len(tried)} attempts, through: {through}")
print("unshare says no" if done.returncode and "Operation not permitted" in done.stderr else f"unshare: {done}")
