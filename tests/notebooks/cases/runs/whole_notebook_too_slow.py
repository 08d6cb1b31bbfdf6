"""No cell takes longer than a cell may, but all together do: what comes later is not run and says so.

limits: run_s=6
score: q3=0 q4=0
sees: was stopped: the whole notebook may run 6 s, and that time was used up.
sees: was not run: the whole notebook may run 6 s, and that time is used up.
sees q4: the whole notebook may run 6 s
status: partial
"""

# %% after q2-check
import time
time.sleep(3)

# %% before q3-answer
time.sleep(15)
