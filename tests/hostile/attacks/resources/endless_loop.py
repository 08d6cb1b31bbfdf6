"""A loop without an end, as most students write one some day.

naive: otter-grader never returns, and nobody is graded.
message q2: Cell 4 (question q2) ran longer than 5 s and was stopped.
failed: TimeLimit
"""
# %%
while True:
    pass
