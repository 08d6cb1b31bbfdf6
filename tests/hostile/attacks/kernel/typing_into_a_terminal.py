"""Pushes characters into a terminal's input, which whoever started the worker there would then run.

naive: a command, typed into the operator's shell.
uses: attempt
reached: through: []
reached: tried TIOCSTI
"""

# %%
import fcntl

main, terminal = os.openpty()
for request, name in ((0x5412, "TIOCSTI"), (0x541C, "TIOCLINUX"), (0x1_0000_5412, "TIOCSTI with a long number")):
    for descriptor in (terminal, 0, 1, 2):
        attempt(f"{name} on {descriptor}", lambda: libc.ioctl(descriptor, ctypes.c_ulong(request), b"i"))
    print("tried", name)
for path in ("/dev/tty", "/dev/console", "/dev/tty0", "/dev/tty1"):
    attempt(path, lambda: os.open(path, os.O_RDWR), errno.ENXIO, errno.ENOENT)
print(f"{len(tried)} attempts, through: {through}")
