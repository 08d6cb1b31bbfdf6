"""exit(), quit() and sys.exit() between the answers: each ends its cell and nothing else.

sees: Cell 3 raised SystemExit: The notebook can't be left by exit() or quit(): remove the call.
sees: raised SystemExit: The notebook can't be left by exit() or quit(): remove the call.
sees: raised SystemExit: 1. sys.exit() can't end a notebook: remove the call.
"""

# %% before q1-answer
exit()

# %% after q1-check
quit

# %% after q2-check
quit()

# %% end
import sys
sys.exit(1)
