"""The kernel is restarted by a cell, as some Colab recipes do after installing a package.

seen: sagemathinc/cocalc#4879
sees: Cell 3 crashed the notebook's Python process
sees: The notebook's process was lost, so the cells before were run again without cell 3.
status: partial
"""

# %% before q1-answer
import os, signal
os.kill(os.getpid(), signal.SIGKILL)
