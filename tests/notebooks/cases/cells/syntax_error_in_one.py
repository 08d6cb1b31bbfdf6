"""A bracket is missing in one answer: the other questions are graded.

seen: ipython/ipython#13847
score: q3=0
sees: Cell 7 (question q3) raised SyntaxError: '[' was never closed
sees q3: '[' was never closed
"""

# %% q3-answer
def scale(values, factor):
    return [factor * value for value in values
