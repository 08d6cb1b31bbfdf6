"""Keeps and reads keys in the kernel's keyrings, which are shared between jails of one user.

naive: 2/2, with a note for the next submission in the user's keyring.
uses: attempt
reached: 6 attempts, through: []
reached: keys listed: 0
"""

# %%
attempt("add to user", lambda: syscall(248, 217, b"user", b"solution", b"x * x", 5, -4))
attempt("add to session", lambda: syscall(248, 217, b"user", b"solution", b"x * x", 5, -3))
attempt("request", lambda: syscall(249, 218, b"user", b"solution", None, -4))
attempt("keyring", lambda: syscall(250, 219, 0, -4, 1, 0, 0))
attempt("join", lambda: syscall(250, 219, 1, b"_ses", 0, 0, 0))
attempt("search", lambda: syscall(250, 219, 10, -3, b"user", b"solution", 0))
print(f"{len(tried)} attempts, through: {through}")
try:
    listed = len(open("/proc/keys").read()) if os.path.exists("/proc/keys") else 0
except PermissionError:
    listed = 0
print("keys listed:", listed)
