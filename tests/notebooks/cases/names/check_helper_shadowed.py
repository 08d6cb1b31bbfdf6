"""The student's own `grader`: the notebook's checks say something else, the server's don't care.

sees: raised AttributeError
"""

# %% before q1-answer
grader = "Prof. Example"
