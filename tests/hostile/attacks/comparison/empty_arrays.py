"""Answers with arrays without a single item, which broadcast against anything: there is nothing that differs.

naive: 2/2, np.allclose(np.empty((0, 5, 10)), expected) is true; only a look at the shape tells.
lab: arrays
answers: own
reached: close: True True
"""
# %%
import numpy as np
def a2(x):
    return np.empty((0, *np.shape(x)))
expected = np.ones((5, 10))
print("close:", np.allclose(a2(expected), expected), bool((a2(expected) == expected).all()))
