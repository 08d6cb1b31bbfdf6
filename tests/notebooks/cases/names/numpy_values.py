"""Answers as numpy's numbers, which newer versions print as np.float64(...): values are compared, not texts.

seen: ucbds-infra/otter-grader#807
"""

# %% q1-answer
import numpy as np
def square(x):
    return np.square(np.float64(x))

# %% q2-answer
total = np.loadtxt("measurements.csv", delimiter=",", skiprows=1, usecols=1).sum()

# %% q3-answer
def scale(values, factor):
    return np.array(values) * factor
