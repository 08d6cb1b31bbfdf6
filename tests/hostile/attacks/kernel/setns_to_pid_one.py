"""Joins the namespaces of the jail's first process, which came from outside, and of its own process once more.

naive: 2/2, in a container whose first process kept other namespaces.
uses: attempt
reached: through: []
reached: tried user of self
reached: tried net of 1
"""

# %%
for pid in ("1", "self"):
    for name in ("user", "mnt", "net", "pid", "ipc", "uts", "cgroup"):

        def join():
            descriptor = os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY)
            return libc.setns(descriptor, 0)

        attempt(f"{name} of {pid}", join)
        print("tried", name, "of", pid)
pidfd = os.pidfd_open(1)
attempt("pidfd of 1", lambda: libc.setns(pidfd, 0x7C020000))
print(f"{len(tried)} attempts, through: {through}")
