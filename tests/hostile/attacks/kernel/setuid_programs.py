"""Runs the system's setuid programs, and makes one of its own.

naive: root, where setuid programs keep their power.
uses: attempt
reached: a copy of a shell with every bit set still is an ordinary user
reached: no setuid program made root of it: []
"""

# %%
import pathlib, shutil, subprocess

shell = shutil.copy("/bin/dash" if os.path.exists("/bin/dash") else "/bin/sh", "/tmp/shell")
try:
    os.chmod(shell, 0o6777)
except PermissionError:
    os.chmod(shell, 0o777)
uid = subprocess.run([shell, "-pc", "id -u"], capture_output=True, text=True).stdout.strip()
print("a copy of a shell with every bit set", "still is an ordinary user" if int(uid) == os.getuid() > 0 else "is " + uid)
rooted = []
for folder in ("/usr/bin", "/usr/sbin", "/usr/lib/openssh", "/usr/lib/dbus-1.0"):
    for path in pathlib.Path(folder).rglob("*"):
        try:
            if path.is_file() and path.stat().st_mode & 0o6000:
                process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=-3, stderr=-3)
                rooted += [str(path)] * ("Uid:\t0" in open(f"/proc/{process.pid}/status").read())
                process.kill()
                process.wait()
        except (OSError, ProcessLookupError):
            pass
print("no setuid program made root of it:", rooted)
