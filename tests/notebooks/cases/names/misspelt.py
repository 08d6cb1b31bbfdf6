"""The function is called squared.

score: q1=0
sees q1: You have not defined `square`.
"""

# %% q1-answer
def squared(x):
    return x * x
