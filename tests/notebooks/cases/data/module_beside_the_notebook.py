"""Functions live in a module that was not handed in.

seen: jupyter/nbgrader#940
score: q1=0
sees: No module named 'my_helpers'. my_helpers is not there when a notebook is graded, and can't be installed: use what
  the lab's own cells import.
sees q1: my_helpers is not there when a notebook is graded
"""

# %% q1-answer
from my_helpers import square
