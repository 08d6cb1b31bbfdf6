"""Fills every folder that it can write to, and leaves them full.

naive: 2/2, and a full disk on the host: the next submissions fail.
limits: tmp_bytes=16777216
reached: /tmp is full after 16 MiB at most
reached: . is full after 16 MiB at most
reached: /dev/shm is full after 16 MiB at most
"""

# %%
import errno, os

for folder in ("/tmp", ".", "/dev/shm"):
    written = 0
    try:
        for number in range(1000):
            with open(f"{folder}/hog{number}", "wb", buffering=0) as file:
                while True:
                    written += file.write(b"x" * 65_536)
                    if written % 4_194_304 == 0:
                        break
    except OSError as error:
        full = error.errno == errno.ENOSPC and written <= 16_777_216
        print(folder, "is full after 16 MiB at most" if full else f"holds {written}: {error}")
