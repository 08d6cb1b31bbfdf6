"""Takes the interpreter's lock and never gives it back: a call into C that keeps it, for an hour.

naive: hangs, an interrupt waits for the same lock.
limits: cell_s=2
message q2: Cell 4 (question q2) ran longer than 2 s and was stopped.
status: partial
"""

# %%
import ctypes

ctypes.PyDLL(None).sleep(3600)
