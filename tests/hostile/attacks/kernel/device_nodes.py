"""Makes device nodes for the memory and the disk, and opens those that a machine may have.

naive: 2/2, as root in a privileged container.
uses: attempt
reached: 24 attempts, through: []
"""

# %%
import stat

for folder in ("/tmp", "/dev/shm", "."):
    for name, kind, major, minor in (
        ("mem", stat.S_IFCHR, 1, 1), ("kmsg", stat.S_IFCHR, 1, 11), ("sda", stat.S_IFBLK, 8, 0),
        ("vda", stat.S_IFBLK, 254, 0),
    ):  # fmt: skip
        attempt(f"mknod {folder}/{name}", lambda: os.mknod(f"{folder}/{name}", kind | 0o666, os.makedev(major, minor)))
for name in ("mem", "kmsg", "port", "sda", "vda", "nvme0n1", "kvm", "fuse", "net/tun", "vhost-vsock", "userfaultfd",
             "vsock"):  # fmt: skip
    attempt(f"open {name}", lambda: os.open(f"/dev/{name}", os.O_RDWR), 2)  # or it isn't there
print(f"{len(tried)} attempts, through: {through}")
