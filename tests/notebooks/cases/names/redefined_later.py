"""Later cells use the answers' names for something else: each was graded where it was checked.

seen: ucbds-infra/otter-grader#793, ucbds-infra/otter-grader#890
"""

# %% after q1-check
square = "a shape"
total = 0

# %% end
scale = None
ridge = -1
