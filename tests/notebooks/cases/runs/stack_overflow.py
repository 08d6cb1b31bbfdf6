"""The recursion limit was lifted, and the process crashed: the other questions are graded in a new one.

seen: jupyter/nbconvert#1035
score: q3=0
sees: Cell 7 (question q3)
sees: The notebook's process was lost, so the cells before were run again without cell 7.
sees q3: crashed the notebook's Python process
status: partial
"""

# %% q3-answer
import ctypes
ctypes.string_at(0)
