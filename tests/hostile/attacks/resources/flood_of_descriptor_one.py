"""Writes a gigabyte to descriptors 1 and 2, past Python, as a C library would.

naive: 2/2, and a gigabyte in the notebook.
limits: tmp_bytes=33554432
reached: flooded
reached: xxxx
"""

# %%
import os

block = b"x" * 999_999 + b"\n"
for number in range(1000):
    try:
        os.write(1 + number % 2, block)
    except OSError:
        pass
print("flooded")
