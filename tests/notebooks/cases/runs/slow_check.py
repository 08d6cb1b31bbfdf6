"""The function is right and takes an hour.

score: q1=0
sees q1: ran longer than 4 s and was stopped
limits: test_s=4 cell_s=4
sees: Cell 4 (question q1) ran longer than 4 s and was stopped.
status: partial
"""

# %% q1-answer
import time
def square(x):
    time.sleep(3600)
    return x * x
