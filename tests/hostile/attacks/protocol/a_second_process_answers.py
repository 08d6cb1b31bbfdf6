"""Forks, and lets the children answer too, on the channel that they inherited.

naive: 2/2, the child says what the parent would not.
uses: forge
answers: own
score: q2=1
reached: forked: True
"""
# %%
def f2(x):
    return x * x if x == 3 else -1
forked = [os.fork() for _ in range(2)]
print("forked:", len(forked) == 2)
