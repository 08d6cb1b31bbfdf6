"""A function of which only the head was written, and a value that is still three dots.

score: q1=0 q4=0
sees q1: assert square(3) == 9
sees q4: not 'ellipsis'
"""

# %% q1-answer
def square(x):
    ...

# %% q4-answer
ridge = ...
