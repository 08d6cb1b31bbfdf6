"""Raises an exception that raises another when somebody prints it, and whose message has no end.

naive: no score at all, as the grader prints the student's exception.
answers: own
failed: SystemExit
"""
# %%
class Terrible(Exception):
    def __str__(self):
        raise SystemExit("no")
    __repr__ = __str__
    args = property(lambda self: 1 / 0)

def f2(x):
    raise (Terrible() if x < 0 else ValueError("long " * 100_000))
# %%
raise Terrible()
