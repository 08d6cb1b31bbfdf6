"""Calls that change how the processor or the kernel treats a process: segments, personalities, ports.

naive: 2/2, several old exploits begin here.
uses: attempt
reached: 6 attempts, through: []
"""

# %%
zeros = ctypes.create_string_buffer(64)
attempt("modify_ldt", lambda: syscall(154, -1, 1, zeros, 16))
attempt("no randomization", lambda: libc.personality(0x0040000))
attempt("32-bit addresses", lambda: libc.personality(0x0008))
attempt("iopl", lambda: syscall(172, -1, 3))
attempt("ioperm", lambda: syscall(173, -1, 0, 1024, 1))
attempt("vmsplice", lambda: syscall(278, 75, os.pipe()[1], (ctypes.c_uint64 * 2)(ctypes.addressof(zeros), 64), 1, 0))
print(f"{len(tried)} attempts, through: {through}")
