"""Kills its whole process group, itself included.

naive: no score, in otter-grader the grader belongs to the same group.
message q2: Cell 4 (question q2) crashed the notebook's Python process (SIGKILL
status: partial
"""

# %%
import os

os.kill(0, 9)
