"""The student interrupted the kernel; raise KeyboardInterrupt stands for what a library does then.

sees: Cell 3 raised KeyboardInterrupt
"""

# %% before q1-answer
raise KeyboardInterrupt
