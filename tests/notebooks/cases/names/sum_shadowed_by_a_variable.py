"""`sum = 0` in one cell breaks sum() in a later one: the error is the student's, and is told as it is.

score: q2=0
sees: Cell 6 (question q2) raised TypeError: 'int' object is not callable
sees q2: 'int' object is not callable
"""

# %% after q1-check
sum = 0
