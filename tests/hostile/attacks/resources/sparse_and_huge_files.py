"""Files of a terabyte that hold nothing, one that grows without end, and reservations of what isn't there.

naive: 2/2, whoever copies the working folder afterwards copies terabytes.
limits: tmp_bytes=16777216
reached: ['EFBIG', 'EFBIG', 'ENOSPC']
"""

# %%
import errno, os, signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
found = []
descriptor = os.open("/tmp/huge", os.O_RDWR | os.O_CREAT)
for attempt in (
    lambda: os.truncate("/tmp/huge", 2**40),
    lambda: os.pwrite(descriptor, b"x", 2**40),
    lambda: [os.posix_fallocate(os.open(f"/tmp/{n}", os.O_RDWR | os.O_CREAT), 0, 10_000_000) for n in range(9)],
):
    try:
        attempt()
        found.append("worked")
    except OSError as error:
        found.append(errno.errorcode[error.errno])
print(found)
