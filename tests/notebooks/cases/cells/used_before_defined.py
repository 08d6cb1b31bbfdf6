"""A helper is defined below its first use; run twice, the notebook worked.

seen: ucbds-infra/otter-grader#558
score: q3=0
sees: Cell 7 (question q3) raised NameError: name 'times' is not defined
sees q3: name 'times' is not defined
"""

# %% q3-answer
scale = lambda values, factor: [times(value, factor) for value in values]
print(scale([1], 2))

# %% end
def times(a, b):
    return a * b
