"""numpy says it in other words again.

score: q2=0
sees: When a notebook is graded, only the lab's own files are beside it: use those, under their own names.
sees q2: measurements_2.csv not found
"""

# %% q2-answer
import numpy as np
total = np.loadtxt("measurements_2.csv", delimiter=",", skiprows=1, usecols=1).sum()
