"""Answers that are too large, too deep, or have no end.

naive: the grader dies for want of memory or of recursion.
answers: own
message q2: TooLarge
reached: monsters: 6
"""
# %%
import numpy as np
loop = []
loop.append(loop)
class Endless(list):
    def __iter__(self):
        while True:
            yield 1
deep = 1
for _ in range(100_000):
    deep = [deep]
monsters = [np.broadcast_to(1.0, (2**45,)), loop, Endless(), deep, np.full(3_000_000, None), [10**70_000] * 1000]
print("monsters:", len(monsters))
calls = iter(monsters * 9)
def f2(x):
    return next(calls)
