"""A recursion without its end.

score: q1=0
sees q1: RecursionError: maximum recursion depth exceeded
"""

# %% q1-answer
def square(x):
    return square(x)
