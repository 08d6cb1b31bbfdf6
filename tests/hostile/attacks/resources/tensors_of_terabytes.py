"""Asks torch for a terabyte, then for all there is in pieces.

naive: no score.
lab: tensors
limits: memory_bytes=1073741824
reached: a terabyte was refused
message q2: the memory limit of 1 GiB
status: partial
"""

# %%
import torch

try:
    torch.ones(2**40)
except RuntimeError:
    print("a terabyte was refused")

# %%
kept = []
while True:
    kept.append(torch.ones(2**24))
