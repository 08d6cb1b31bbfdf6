"""A loop without an end, as most students write one some day.

naive: hangs, and nobody is graded.
limits: cell_s=3
message q2: Cell 4 (question q2) ran longer than 3 s and was stopped.
failed: TimeLimit
"""
# %%
while True:
    pass
