"""input() after the answer, to try it out: the answer counts.

seen: jupyter/nbgrader#1844
sees: Cell 3 (question q1) raised RuntimeError: input() can't be answered while a notebook is graded: write the value into the cell instead of asking for it.
"""

# %% q1-answer
def square(x):
    return x * x
n = int(input("Enter a number: "))
print(square(n))
