"""Mounts by the system calls of Linux 5.2 and later, which older filters don't know.

naive: 2/2, a filter written for mount() alone lets fsopen() pass.
uses: attempt
reached: 7 attempts, through: []
"""

# %%
for name, number in {
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "mount_setattr": 442,
}.items():  # fmt: skip
    attempt(name, lambda: syscall(number, number, -100, b"/", 0x8001, 0, 0))
print(f"{len(tried)} attempts, through: {through}")
