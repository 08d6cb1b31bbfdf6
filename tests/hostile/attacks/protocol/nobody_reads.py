"""Never reads what the examiner asks, so that its questions pile up. Its author loses what comes after, as the cell that did it can't be told from one
that is only slow.

naive: the grader hangs in a write that nobody takes.
uses: forge
limits: cell_s=2 test_s=2
score: q1=2 q2=0 q3=0 q4=0
message q2: ran longer than 2 s
failed: TimeLimit
"""
# %%
us._receive = lambda: time.sleep(1000)
