"""Questions to IPython: `?`, `??`, and help()."""

# %% before q1-answer
sum?
square??
?sum
help(sum)
!!echo
