"""Functions are written into a module beside the notebook, and imported from there.
"""

# %% before q1-answer
%%writefile helpers.py
def square(x):
    return x * x

# %% q1-answer
from helpers import square
