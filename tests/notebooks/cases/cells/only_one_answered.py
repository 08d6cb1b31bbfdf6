"""One question answered, the others not begun: what is there counts.

score: q1=0 q3=0 q4=0
sees q1: You have not defined `square`.
"""

# %% q1-answer

# %% q3-answer
# TODO

# %% q4-answer
pass
