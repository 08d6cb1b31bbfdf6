"""Warnings and words on stderr decide nothing.

seen: sagemathinc/cocalc#5028
shows: DeprecationWarning
"""

# %% q1-answer
import sys, warnings
def square(x):
    warnings.warn("square() is old", DeprecationWarning, stacklevel=2)
    print("error: nothing wrong", file=sys.stderr)
    return x * x
square(1)
text = "\d"
