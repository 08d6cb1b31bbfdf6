"""%run of a script that a cell has written: its names come into the notebook.
"""

# %% before q1-answer
%%writefile answers.py
def square(x):
    return x * x
ridge = 20.0

# %% q1-answer
%run answers.py
