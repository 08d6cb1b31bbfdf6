"""Looks at the jail's first process through /proc: memory, descriptors, root folder, environment.

naive: 2/2, a supervisor of the same user shows its environment and its files there.
uses: attempt
reached: 9 attempts, through: []
reached: its command line holds no path of the host: ['--args']
"""

# %%
attempt("memory", lambda: os.open("/proc/1/mem", os.O_RDWR))
attempt("maps", lambda: os.read(os.open("/proc/1/maps", os.O_RDONLY), 1) and None)
attempt("descriptors", lambda: os.listdir("/proc/1/fd"))
attempt("a descriptor", lambda: os.open("/proc/1/fd/2", os.O_RDWR))
attempt("root", lambda: os.listdir("/proc/1/root/"))
attempt("root by ..", lambda: os.open("/proc/1/root/../etc/shadow", os.O_RDONLY))
attempt("folder", lambda: os.listdir("/proc/1/cwd/"))
attempt("environment", lambda: os.read(os.open("/proc/1/environ", os.O_RDONLY), 1) and None)
attempt("its oom score", lambda: os.open("/proc/1/oom_score_adj", os.O_WRONLY))
print(f"{len(tried)} attempts, through: {through}")
print("its command line holds no path of the host:", open("/proc/1/cmdline").read().split("\0")[1:2])
