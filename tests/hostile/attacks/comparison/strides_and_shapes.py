"""Answers with arrays whose items overlap, run backwards, come from beyond the buffer, or change between two looks.

naive: 2/2 where the answer is looked at twice, once for its values and once for its shape.
lab: arrays
answers: own
reached: overlapping: (5, 10) (0, 0)
"""
# %%
import numpy as np, threading
base = np.zeros(4)
overlap = np.lib.stride_tricks.as_strided(base, (5, 10), (0, 0))
print("overlapping:", overlap.shape, overlap.strides)
moving = np.zeros((5, 10))
def flip():
    while True:
        moving[:] = np.random.rand(5, 10)
        moving.shape = (10, 5)
        moving.shape = (5, 10)
threading.Thread(target=flip, daemon=True).start()
calls = iter([overlap[::-1, ::-1], moving, overlap.T, np.zeros((5, 10), order="F"), moving.view("f4")] * 10)
def a2(x):
    return next(calls)
