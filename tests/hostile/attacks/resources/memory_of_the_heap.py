"""Allocates memory until there is none.

naive: no score, the host's kernel ends whatever it likes, often the grader.
message q2: Cell 4 (question q2)
message q2: the memory limit of 512 MiB
status: partial
"""

# %%
hog = []
while True:
    hog.append(bytearray(b"x" * 10_000_000))
