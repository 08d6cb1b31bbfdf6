"""time.sleep() in a demonstration that has nothing to do with the answers.

limits: cell_s=4
sees: Cell 3 ran longer than 4 s and was stopped.
status: partial
"""

# %% before q1-answer
import time
time.sleep(3600)
