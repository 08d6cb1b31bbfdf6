"""%pdb on, which opens a debugger at each error.

score: q1=0
sees: Cell 4 (question q1) raised NameError: name 'undefined' is not defined
sees q1: name 'undefined' is not defined
"""

# %% before q1-answer
%pdb on

# %% q1-answer
def square(x):
    return x * x
del square
undefined
