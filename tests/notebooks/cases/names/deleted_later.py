"""Answers are deleted after their checks, to tidy up: they were graded before."""

# %% after q2-check
del square, total

# %% end
del scale, ridge
