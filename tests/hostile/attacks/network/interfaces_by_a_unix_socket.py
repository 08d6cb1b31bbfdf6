"""Configures the network by requests on a Unix socket, which is the one kind that it may open.

naive: 2/2, as root in a container: an address, a route, and the host's network is open.
uses: attempt
reached: 5 attempts, through: []
reached: interfaces: ['lo']
"""

# %%
import fcntl, socket, struct

unix = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
request = lambda name, *rest: struct.pack("16sH14s", name, *(rest or (0, b"")))
attempt("up", lambda: fcntl.ioctl(unix, 0x8914, request(b"lo", 0x1043, b"")))
attempt("rename", lambda: fcntl.ioctl(unix, 0x8923, struct.pack("16s16s", b"lo", b"eth0")))
attempt("address", lambda: fcntl.ioctl(unix, 0x8916, request(b"lo")), errno.ENOTTY, errno.EINVAL)
attempt("route", lambda: fcntl.ioctl(unix, 0x890B, bytes(120)), errno.ENOTTY, errno.EINVAL)
attempt("bridge", lambda: fcntl.ioctl(unix, 0x89A0, b"escaped".ljust(16, b"\0")), errno.ENOPKG)
print(f"{len(tried)} attempts, through: {through}")
print("interfaces:", [line.split(":")[0].strip() for line in open("/proc/net/dev").read().splitlines()[2:]])
