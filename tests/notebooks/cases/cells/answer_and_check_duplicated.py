"""Answer and check were copied below, where the second try is wrong: the last check decides, and a note says so.

seen: jupyter/nbgrader#1083, microsoft/vscode#143396
score: q1=0
sees: grader.check("q1") stands in code cells 4 and 6: question q1 was graded after code cell 6, the last of them.
sees q1: assert square(3) == 9
"""

# %% after q1-check
def square(x):
    return x + x

# %% before q2-text
grader.check("q1")
