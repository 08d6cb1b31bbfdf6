"""warnings.simplefilter("error") at the top: what warns raises from there on, in the student's code alone.

score: q1=0
sees q1: UserWarning: square() is slow
"""

# %% before q1-answer
import warnings
warnings.simplefilter("error")

# %% q1-answer
def square(x):
    warnings.warn("square() is slow")
    return x * x
