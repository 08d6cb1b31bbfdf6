"""Answers with an iterator that never ends, and gives more than the grader has memory for.

naive: the grader never returns from list(answer).
lab: functions
answers: own
limits: test_s=30
message q2: too large together
"""
# %%
def power(n):
    return lambda x: 0
def each(f, xs):
    while True:
        yield bytes(50_000_000)
