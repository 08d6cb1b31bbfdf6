"""Ends its process in the middle of a cell, with the status of success.

naive: no score at all, as nbclient raises DeadKernelError.
message q2: Cell 4 (question q2) ended the notebook's Python process (exit code 0)
status: partial
failed: ProcessEnded
"""
# %%
import os
os._exit(0)
