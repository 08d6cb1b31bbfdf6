"""Calls the kernel by its other tables, x32 and 32-bit, whose numbers mean something else to a careless filter.

naive: 2/2, a filter that looks at numbers alone lets number 21 pass, which is mount() in the 32-bit table.
uses: attempt
reached: 3 attempts, through: []
reached: a 32-bit call ended the child by
"""

# %%
import mmap, signal

X32 = 0x4000_0000
attempt("x32 getpid", lambda: libc.syscall(ctypes.c_long(X32 + 39)))
attempt("x32 ptrace", lambda: libc.syscall(ctypes.c_long(X32 + 521), 0, 0, 0, 0))
attempt("x32 unshare", lambda: libc.syscall(ctypes.c_long(X32 + 272), 1 << 28))

# mov eax, 20 (getpid in the 32-bit table); int 0x80; ret
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
child = os.fork()
if child == 0:
    call()
    os._exit(77)
_, status = os.waitpid(child, 0)
print(f"{len(tried)} attempts, through: {through}")
print("a 32-bit call", f"ended the child by {signal.Signals(status).name}" if 0 < status < 128 else f"worked: {status}")
