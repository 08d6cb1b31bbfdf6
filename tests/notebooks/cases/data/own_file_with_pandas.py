"""pandas says the same in its own words.

seen: jsboige/CoursIA#513
score: q2=0
sees: When a notebook is graded, only the lab's own files are beside it: use those, under their own names.
sees q2: No such file or directory: 'measurements.xlsx'
"""

# %% q2-answer
import pandas as pd
total = pd.read_csv("measurements.xlsx").ms.sum()
