"""Calls a test's own function from within it, without end, and with monstrous arguments.

naive: the grader dies of recursion in a test's function.
lab: functions
answers: own
reached: called: True
"""
# %%
called = []
def power(n):
    return lambda x: 0
def each(f, xs):
    called.append(f)
    for given in ([0] * 100_000, "x" * 1_000_000, each, lambda: f(1), float("nan"), 10**5000, {f: f}):
        try:
            f(given)
        except Exception:
            pass
    return [each(f, xs)] if len(called) < 500 else []
# %% after
print("called:", len(called) > 100)
