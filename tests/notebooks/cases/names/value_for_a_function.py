"""`square` is a number, not a function.

score: q1=0
sees q1: object is not callable
"""

# %% q1-answer
square = 9
