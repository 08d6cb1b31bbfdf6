"""Fills pipes and sockets, whose buffers belong to nobody's heap, as many as there are descriptors.

naive: 2/2, and a gigabyte of kernel memory for each notebook.
reached: no descriptors are left
reached: less than 700 MB in buffers: True
"""

# %%
import errno, fcntl, os, socket

held, kept = 0, []
try:
    while True:
        read, write = os.pipe()
        kept += [read, write]
        try:
            fcntl.fcntl(write, 1031, 1024 * 1024)
        except OSError:
            pass
        os.set_blocking(write, False)
        try:
            while True:
                held += os.write(write, b"x" * 65_536)
        except BlockingIOError:
            pass
except OSError as error:
    print("no descriptors are left" if error.errno in (errno.EMFILE, errno.ENFILE) else error)
for descriptor in kept:
    os.close(descriptor)
print("less than 700 MB in buffers:", held < 700_000_000)
