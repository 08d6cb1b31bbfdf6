"""The answer itself is timed: the magic is taken off and the cell runs as it is.

seen: ucbds-infra/otter-grader#754
shows: Wall time
"""

# %% q1-answer
%%time
def square(x):
    return x * x
print(square(3))

# %% q4-answer
%time ridge = PEAK / BANDWIDTH
