"""Loads programs into the kernel, and asks it for the calls that exploits most often begin with.

naive: 2/2, none of these belongs into a notebook, and most escapes of the last years went through one of them.
uses: attempt
reached: 14 attempts, through: []
"""

# %%
zeros = ctypes.create_string_buffer(256)
attempt("bpf map", lambda: syscall(321, 280, 0, zeros, 72))
attempt("bpf program", lambda: syscall(321, 280, 5, zeros, 72))
attempt("perf", lambda: syscall(298, 241, zeros, 0, -1, -1, 0))
attempt("io_uring_setup", lambda: syscall(425, 425, 8, zeros))
attempt("io_uring_enter", lambda: syscall(426, 426, 3, 1, 0, 0, 0, 0))
attempt("io_uring_register", lambda: syscall(427, 427, 3, 0, zeros, 1))
attempt("userfaultfd", lambda: syscall(323, 282, 1))
attempt("fanotify", lambda: syscall(300, 262, 0, 0))
attempt("memfd_secret", lambda: syscall(447, 447, 0))
attempt("kcmp", lambda: syscall(312, 272, 1, os.getpid(), 0, 0, 0))
attempt("init_module", lambda: syscall(175, 105, zeros, 256, b""))
attempt("kexec", lambda: syscall(246, 104, 0, 0, None, 0))
attempt("syslog", lambda: syscall(103, 116, 3, zeros, 256))
attempt("not yet invented", lambda: syscall(999, 999, 0))
print(f"{len(tried)} attempts, through: {through}")
