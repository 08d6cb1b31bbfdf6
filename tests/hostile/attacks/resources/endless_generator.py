"""Returns a generator without end in place of a number, and one that sleeps.

naive: hangs, where a test makes a list of it.
answers: own
message q2: is no plain value, so __eq__ is not asked of it
"""

# %%
import itertools, time


# %%
def f2(x):
    return itertools.count() if x > 0 else (time.sleep(n) for n in itertools.count(100))
