"""Raises its own limits, those of the jail's first process, and its priority.

naive: 2/2, and the machine's processors and memory.
uses: attempt
reached: through: []
reached: tried RLIMIT_NPROC
reached: tried FIFO
"""

# %%
import resource

for name in ("RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_NPROC", "RLIMIT_MSGQUEUE"):
    for pid in (0, 1):

        def raise_limit():
            try:
                resource.prlimit(pid, getattr(resource, name), (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            except ValueError as error:  # how Python says that a hard limit can't be raised
                raise PermissionError(errno.EPERM, "") from error

        attempt(f"{name} of {pid}", raise_limit)
    print("tried", name)
attempt("nice", lambda: os.nice(-20))
attempt("FIFO", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))
attempt("RR", lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(50)))
attempt("real-time disk", lambda: syscall(251, 30, 1, 0, 1 << 13))
print("tried FIFO")
print(f"{len(tried)} attempts, through: {through}")
