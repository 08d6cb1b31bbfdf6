"""Reads a file that the student made and did not hand in.

seen: jupyter/nbgrader#940, anthony-wang/BestPractices#2
score: q2=0
sees: When a notebook is graded, only the lab's own files are beside it: use those, under their own names.
sees q2: use those, under their own names
"""

# %% q2-answer
total = sum(float(line.split(";")[1]) for line in list(open("measurements_clean.csv"))[1:])
