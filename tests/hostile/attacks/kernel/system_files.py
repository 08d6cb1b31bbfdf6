"""Writes to what the jail shows of the system, of the lab's packages and of the grader's own code.

naive: 2/2 for the next too, in one container the tests import what it wrote.
uses: attempt
reached: through: []
reached: tried the grader's own code
"""

# %%
import site, sys

import numpy

import graders.respondent

for what, path in {
    "python": sys.executable, "numpy": numpy.__file__, "a startup file": f"{site.getsitepackages()[0]}/evil.pth",
    "the grader's own code": graders.respondent.__file__, "a program": "/usr/bin/env", "the accounts": "/etc/passwd",
    "the resolver": "/etc/hosts", "a new folder": "/evil", "a device's folder": "/dev/evil",
}.items():  # fmt: skip
    attempt(f"open {path}", lambda: os.open(path, os.O_RDWR | os.O_CREAT))
    attempt(f"open by root {path}", lambda: os.open(f"/proc/self/root/{path}", os.O_RDWR | os.O_CREAT))
    attempt(f"rename {path}", lambda: os.rename(path, path + "2"), errno.ENOENT, errno.EXDEV, errno.EBUSY)
    attempt(f"unlink {path}", lambda: os.unlink(path), errno.ENOENT, errno.EBUSY)
    attempt(f"chmod {path}", lambda: os.chmod(path, 0o777), errno.ENOENT)
    print("tried", what)
print(f"{len(tried)} attempts, through: {through}")
