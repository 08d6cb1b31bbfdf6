"""An error whose message is a whole data set.

score: q3=0
sees: raised ValueError: bad value 7 7 7
sees q3: raised ValueError: bad value 7 7 7
"""

# %% q3-answer
raise ValueError("bad value " + "7 " * 150_000)
