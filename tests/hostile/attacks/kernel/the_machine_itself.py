"""Sets the clock, the host's name and its swap, switches it off, and logs what others do.

naive: machine stopped, where the container is privileged.
uses: attempt
reached: 11 attempts, through: []
"""

# %%
zeros = ctypes.create_string_buffer(512)
attempt("settimeofday", lambda: syscall(164, 170, zeros, None))
attempt("clock_settime", lambda: libc.clock_settime(0, zeros))
attempt("adjtimex", lambda: libc.adjtimex(zeros))
attempt("clock_adjtime", lambda: libc.clock_adjtime(0, zeros))
attempt("sethostname", lambda: libc.sethostname(b"mine", 4))
attempt("setdomainname", lambda: libc.setdomainname(b"mine", 4))
attempt("reboot", lambda: libc.reboot(0))
attempt("swapon", lambda: libc.swapon(b"/tmp/swap", 0))
attempt("acct", lambda: libc.acct(b"/tmp/acct"))
attempt("quotactl", lambda: syscall(179, 60, 0x800002, b"/dev/sda", 0, zeros))
attempt("vhangup", lambda: libc.vhangup())
print(f"{len(tried)} attempts, through: {through}")
