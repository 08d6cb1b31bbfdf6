"""The function asks instead of taking its argument.

score: q1=0
sees q1: input() can't be answered while a notebook is graded
"""

# %% q1-answer
def square(x):
    x = float(input("x = "))
    return x * x
