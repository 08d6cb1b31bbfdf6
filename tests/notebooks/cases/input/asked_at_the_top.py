"""A value is asked for at the top and used far below: the report of that question names the first cause.

seen: jupyter/nbgrader#1844
score: q3=0
sees: raised RuntimeError: input() can't be answered while a notebook is graded
sees q3: input() can't be answered while a notebook is graded
"""

# %% before q1-answer
factor_given = float(input())

# %% q3-answer
def scale(values, factor):
    return [factor * value * factor_given for value in values]
