"""%debug and breakpoint() were left in: nobody is there to answer, so each is an error of its own cell.

seen: jupyter/nbgrader#1844
sees: Cell 3 raised ZeroDivisionError
sees: raised RuntimeError: A debugger can't be used while a notebook is graded: take out %debug, %pdb, breakpoint() or set_trace().
"""

# %% before q1-answer
%pdb off
1 / 0

# %% before q1-answer
%debug

# %% after q1-check
breakpoint()

# %% after q4-check
import pdb; pdb.set_trace()
