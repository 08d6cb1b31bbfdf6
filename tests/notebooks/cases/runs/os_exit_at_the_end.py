"""os._exit in the last cell, which once cost all marks.

seen: jupyter/nbconvert#1035
sees: Cell 11 ended the notebook's Python process (exit code 0), as os._exit() does.
status: partial
"""

# %% end
import os
os._exit(0)
