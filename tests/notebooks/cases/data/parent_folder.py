"""The data file lay one folder up, as in the course's repository.

seen: jsboige/CoursIA#513, jupyter/nbgrader#894
score: q2=0
sees: When a notebook is graded, only the lab's own files are beside it: use those, under their own names.
sees q2: '../data/measurements.csv'
"""

# %% q2-answer
total = sum(float(line.split(",")[1]) for line in list(open("../data/measurements.csv"))[1:])
