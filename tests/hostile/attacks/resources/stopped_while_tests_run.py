"""Stops itself when a test calls its function.

naive: hangs, otter-grader waits for ever.
limits: test_s=2
answers: own
message q2: The check of question q2 after cell 6 ran longer than 2 s and was stopped.
"""

# %%
import os, signal


# %%
def f2(x):
    os.kill(os.getpid(), signal.SIGSTOP)
    return x * x
