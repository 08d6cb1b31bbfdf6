"""Answers with iterators that never end, that end in silence, and that give more than the grader has memory for.

naive: the grader never returns from list(answer).
lab: functions
answers: own
limits: test_s=5
reached: iterators
"""
# %%
def power(n):
    def answer(x):
        raise StopIteration
    return answer
def each(f, xs):
    while True:
        yield bytes(50_000_000)
print("iterators")
