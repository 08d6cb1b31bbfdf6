"""The answer's cell was copied to try something, and the copy stayed below: the last before the check counts.

seen: jupyter/nbgrader#1083
"""

# %% q1-answer
def square(x):
    return x + x

# %% before q1-check
def square(x):
    return x * x
